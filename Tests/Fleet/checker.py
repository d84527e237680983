#!/usr/bin/env python3
"""Judges what the sinks of a fleet received. It knows nothing of tminus: it sees the definitions over time, the
controls with their answers, and what arrived.

usage: checker.py HISTORY.json   judges a history that chaos.py kept
       checker.py --self-test    feeds it wrong histories, of which it has to complain

A history is an object; all instants are nanoseconds since 1970.

- `end`: what is due later is not judged.
- `versions`: `id`, `every`, `start`, and `lead` or null; `since` and `until` are [begun, confirmed]: an edit takes
  effect somewhere between the two. `until` is null for what was never edited again.
- `controls`: `verb`, `id`, `asked`, `answered` (null: unknown whether it took effect); `until` of a mute; `due` of a
  timer that was started or resumed; `length` of the timer.
- `receipts`, in the order of their arrival: `sink`, `line` (a sink is one line of order, or one for each file), `at`,
  `delivery`, `definition`, `action`, `occurrence`, `due`, `source`.
- `sinks`: their names. `out_of_turn`: deliveries that a user retried, so that others have overtaken them.
"""

import bisect
import collections
import json
import sys

# The kinds of complaint. What each means is said where it is found.
KINDS = ["lost", "two ids", "one id for two", "early", "out of order", "unasked", "undone", "two sources"]
SECOND = 1_000_000_000
# The receiver's reading of the clock and the sender's are of one machine.
TOLERANCE = SECOND // 1000
# How long nobody may lead, so that an edit meets occurrences that nobody has fired yet.
UNLED = 120 * SECOND
# A leader that was paused has lost its lease at the earliest so long after a reminder was of no more use.
TAKEN_OVER = 4 * SECOND


class Complaints:
    """What is wrong: for each kind how often, and the first examples."""

    def __init__(self):
        self.found = {kind: [] for kind in KINDS}

    def add(self, kind, text):
        self.found[kind].append(text)

    def __len__(self):
        return sum(map(len, self.found.values()))

    def lines(self, limit=20):
        for kind, texts in self.found.items():
            yield from (f"{kind}: {text}" for text in texts[:limit])
            if len(texts) > limit:
                yield f"{kind}: {len(texts) - limit} more"


def check(history):
    """The complaints about a history."""
    complaints = Complaints()
    receipts = history["receipts"]
    check_identity(receipts, complaints)
    check_instants(receipts, complaints)
    check_order(receipts, set(history["out_of_turn"]), complaints)
    events = Events(history)
    events.check(complaints)
    check_timers(history, complaints, {version["id"] for version in history["versions"]})
    return complaints


def key_of(receipt):
    return receipt["definition"], receipt["action"], receipt["occurrence"], receipt["due"], receipt["sink"]


def told(receipt):
    return f"{receipt['definition']} {receipt['action']} of {receipt['occurrence'] / SECOND:.3f} to {receipt['sink']}"


def check_identity(receipts, complaints):
    """One action of an occurrence to one sink has one id, an id is of one action, and all come from one source."""
    ids, keys = collections.defaultdict(set), collections.defaultdict(set)
    for receipt in receipts:
        ids[key_of(receipt)].add(receipt["delivery"])
        keys[receipt["delivery"]].add(key_of(receipt))
    for key, seen in ids.items():
        if len(seen) > 1:
            complaints.add("two ids", f"{key}: {sorted(seen)}")
    for delivery, seen in keys.items():
        if len(seen) > 1:
            complaints.add("one id for two", f"{delivery}: {sorted(seen)}")
    sources = sorted({receipt["source"] for receipt in receipts if receipt["source"] is not None})
    if len(sources) > 1:
        complaints.add("two sources", ", ".join(sources))


def check_instants(receipts, complaints):
    """Nothing arrives before its instant."""
    for receipt in receipts:
        if receipt["at"] < receipt["due"] - TOLERANCE:
            complaints.add("early", f"{told(receipt)}: by {(receipt['due'] - receipt['at']) / SECOND:.3f} s")


def check_order(receipts, out_of_turn, complaints):
    """The first arrivals of one definition at one sink are in the order of their due times. Repeats may come late."""
    newest, seen = {}, set()
    for receipt in receipts:
        lane = (receipt["definition"], receipt["line"])
        if (receipt["delivery"], receipt["line"]) in seen:
            continue
        seen.add((receipt["delivery"], receipt["line"]))
        if receipt["delivery"] in out_of_turn:
            continue
        # A machine that was paused as it began a reminder finishes that when it wakes. Nobody can stop it, and by then
        # the others have given the reminder up as of no more use, and have sent what comes after it.
        if receipt["due"] < receipt["occurrence"] < receipt["at"] - TAKEN_OVER:
            continue
        before = newest.get(lane)
        if before is not None and receipt["due"] < before["due"]:
            complaints.add("out of order", f"{told(receipt)} at {receipt['at'] / SECOND:.3f} "
                                           f"after that of {before['occurrence'] / SECOND:.3f}")
        else:
            newest[lane] = receipt


class Mute:
    """A time in which nothing of a definition is sent. Its edges are unsure: a control takes effect somewhere between
    question and answer."""

    def __init__(self, control, later):
        self.asked, self.answered = control["asked"], control["answered"]
        self.ends = (control["until"], control["until"])
        for other in later:
            if other["verb"] == "unmute" and other["answered"] is not None:
                self.ends = (min(self.ends[0], other["asked"]), min(self.ends[1], other["answered"]))
                break
            # Another mute takes its place; an unmute without an answer may have ended it.
            self.ends = (min(self.ends[0], other["asked"]), self.ends[1])
            if other["verb"] == "mute" and other["answered"] is not None:
                break

    def forbids(self, due):
        return self.answered is not None and self.answered + TOLERANCE < due < self.ends[0] - TOLERANCE

    def excuses(self, due):
        return self.asked - TOLERANCE <= due <= self.ends[1] + TOLERANCE


class Events:
    """Occurrences at a fixed interval, as edits made them."""

    def __init__(self, history):
        self.history = history
        self.versions = collections.defaultdict(list)
        for version in history["versions"]:
            self.versions[version["id"]].append(version)
        controls = collections.defaultdict(list)
        for control in history["controls"]:
            if control["verb"] in ("mute", "unmute"):
                controls[control["id"]].append(control)
        self.mutes = {id: [Mute(control, own[index + 1:]) for index, control in enumerate(own)
                           if control["verb"] == "mute"] for id, own in controls.items()}
        # Of each definition and sink what arrived; and in order of arrival, for what was still to come at an instant.
        self.arrived = collections.defaultdict(set)
        self.lanes = collections.defaultdict(lambda: ([], []))
        for receipt in sorted(history["receipts"], key=lambda receipt: receipt["at"]):
            if receipt["definition"] not in self.versions or receipt["action"] != "expiry":
                continue
            self.arrived[receipt["definition"], receipt["sink"]].add(receipt["occurrence"])
            instants, newest = self.lanes[receipt["definition"], receipt["sink"]]
            instants.append(receipt["at"])
            newest.append(max(receipt["occurrence"], newest[-1]) if newest else receipt["occurrence"])

    def newest_at(self, id, sink, instant):
        """The newest occurrence that had arrived at an instant."""
        instants, newest = self.lanes[id, sink]
        index = bisect.bisect_right(instants, instant)
        return newest[index - 1] if index else 0

    def check(self, complaints):
        for id, versions in self.versions.items():
            for version in versions:
                self.check_lost(id, version, complaints)
        for receipt in self.history["receipts"]:
            if receipt["definition"] in self.versions:
                self.check_asked(receipt, complaints)

    def check_lost(self, id, version, complaints):
        """Everything that was due arrives at every sink."""
        (_, since), until = version["since"], version["until"] or [self.history["end"]] * 2
        interval, start = version["every"], version["start"]
        arrived = (self.arrived[id, sink] for sink in self.history["sinks"])
        fired = max((due for dues in arrived for due in dues if due <= until[0]), default=0)
        due = start + max(0, -(-(since + TOLERANCE - start) // interval)) * interval
        while due <= min(until[0], self.history["end"]):
            # What nobody had fired when an edit came is not due any more. A definition fires for all its sinks at once.
            is_open = version["until"] is not None and due > fired and due > until[0] - UNLED
            if not is_open:
                for sink in self.history["sinks"]:
                    if due not in self.arrived[id, sink] and not self.is_withdrawn(id, sink, due):
                        complaints.add("lost", f"{id} of {due / SECOND:.3f} to {sink}")
            due += interval

    def is_withdrawn(self, id, sink, due):
        """Whether it was muted, or a mute found it waiting."""
        return any(
            mute.excuses(due)
            or (mute.asked - UNLED < due <= mute.asked and due > self.newest_at(id, sink, mute.asked))
            for mute in self.mutes.get(id, [])
        )

    def check_asked(self, receipt, complaints):
        """Everything that arrives was due by a definition in force, and not muted."""
        id, occurrence, due = receipt["definition"], receipt["occurrence"], receipt["due"]
        fitting = []
        for version in self.versions[id]:
            lead = 0 if receipt["action"] == "expiry" else version["lead"]
            on_grid = occurrence >= version["start"] and (occurrence - version["start"]) % version["every"] == 0
            if on_grid and lead is not None and due == occurrence - lead:
                fitting.append(version)
        begun = [version for version in fitting if due >= version["since"][0]]
        if not begun:
            complaints.add("unasked", f"{told(receipt)}: no definition has it")
        elif not any(version["until"] is None or due <= version["until"][1] for version in begun):
            complaints.add("undone", f"{told(receipt)}: the definition had been changed or removed")
        elif any(mute.forbids(due) for mute in self.mutes.get(id, [])):
            complaints.add("undone", f"{told(receipt)}: it was muted")


def check_timers(history, complaints, events):
    """A timer that was started expires at the instant of the last answer, unless a pause was confirmed before."""
    controls, arrived = collections.defaultdict(list), collections.defaultdict(list)
    for control in history["controls"]:
        if control["verb"] in ("start", "pause", "resume", "lengthen"):
            controls[control["id"]].append(control)
    for receipt in history["receipts"]:
        if receipt["definition"] not in events:
            arrived[receipt["definition"]].append(receipt)
    for id in arrived.keys() - controls.keys():
        complaints.add("unasked", f"{told(arrived[id][0])}: nobody started it")
    for id, asked in controls.items():
        dues, is_sure, earliest = set(), True, asked[0]["asked"] + asked[0]["length"]
        for control in asked:
            if control["answered"] is None:
                is_sure = False
            elif control["verb"] == "pause":
                dues = set()
            else:
                dues = {control["due"]}
                if control["verb"] == "start" and not earliest - TOLERANCE <= control["due"] <= (
                        control["answered"] + control["length"] + TOLERANCE):
                    complaints.add("unasked", f"{id}: started to expire at {control['due'] / SECOND:.3f}")
        for receipt in arrived[id]:
            if receipt["occurrence"] < earliest - TOLERANCE:
                complaints.add("early", f"{told(receipt)}: before the length of the timer")
            elif is_sure and receipt["occurrence"] not in dues:
                complaints.add("undone", f"{told(receipt)}: it was paused, or due at another instant")
        for due in dues if is_sure else ():
            for sink in history["sinks"] if due <= history["end"] else ():
                if not any(receipt["sink"] == sink and receipt["occurrence"] == due for receipt in arrived[id]):
                    complaints.add("lost", f"{id} of {due / SECOND:.3f} to {sink}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        from wrong_histories import self_test

        return self_test()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        complaints = check(json.load(file))
    for line in complaints.lines():
        print(line)
    return 1 if len(complaints) else 0


if __name__ == "__main__":
    sys.exit(main())
