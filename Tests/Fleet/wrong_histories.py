"""Histories that are wrong in one way each. A checker that is silent about one of them proves nothing."""

import copy

from checker import KINDS, SECOND, check

SINKS = ["file", "web"]


def receipt(sink, definition, occurrence, at, action="expiry", due=None, delivery=None):
    due = occurrence if due is None else due
    return {
        "sink": sink, "line": sink, "definition": definition, "action": action, "occurrence": occurrence * SECOND,
        "due": due * SECOND, "at": int(at * SECOND), "source": "/tminus/fleet",
        "delivery": delivery or f"{definition}-{action}-{occurrence}-{sink}",
    }


def control(verb, id, asked, answered, **more):
    return {"verb": verb, "id": id, "asked": asked * SECOND, "answered": answered and answered * SECOND} | {
        name: value * SECOND for name, value in more.items()
    }


def right_history():
    """Events a (each 10 s, changed at 105 to each 20 s) and b (each 10 s with a reminder, removed at 155, muted from
    121 to 135), and timers t and p (paused)."""
    receipts = []
    for sink in SINKS:
        for instant in [60, 70, 80, 90, 100, 120, 140, 160, 180]:
            receipts.append(receipt(sink, "a", instant, instant + 0.1))
        for instant in [60, 70, 80, 90, 100, 110, 120, 140, 150]:
            receipts.append(receipt(sink, "b", instant, instant - 0.9, "reminder", instant - 1))
            receipts.append(receipt(sink, "b", instant, instant + 0.1))
        receipts.append(receipt(sink, "t", 75, 75.1))
        # A repeat may come late.
        receipts.append(receipt(sink, "a", 80, 300))
    whole, start = {"lead": None}, 0
    return {
        "end": 190 * SECOND, "sinks": SINKS, "out_of_turn": [], "receipts": receipts,
        "versions": [
            whole | {"id": "a", "every": 10 * SECOND, "start": start,
                     "since": [50 * SECOND, 55 * SECOND], "until": [105 * SECOND, 107 * SECOND]},
            whole | {"id": "a", "every": 20 * SECOND, "start": start,
                     "since": [105 * SECOND, 107 * SECOND], "until": None},
            {"id": "b", "every": 10 * SECOND, "start": start, "lead": SECOND,
             "since": [50 * SECOND, 55 * SECOND], "until": [155 * SECOND, 156 * SECOND]},
        ],
        "controls": [
            control("mute", "b", 121, 122, until=170),
            control("unmute", "b", 134, 135),
            control("start", "t", 64, 66, length=10, due=75),
            control("start", "p", 64, 66, length=10, due=75),
            control("pause", "p", 70, 71, length=10),
        ],
    }


def without(history, sink, definition, occurrence):
    history["receipts"] = [
        each for each in history["receipts"]
        if (each["sink"], each["definition"], each["occurrence"]) != (sink, definition, occurrence * SECOND)
    ]


def moved(history, definition, occurrence, at):
    """One receipt arrives at another instant, in the place of the list that this gives."""
    first = next(each for each in history["receipts"]
                 if each["definition"] == definition and each["occurrence"] == occurrence * SECOND)
    first["at"] = int(at * SECOND)
    history["receipts"].sort(key=lambda each: each["at"])


# What is done to the right history, and the kind of complaint it has to cause.
WRONGS = [
    ("an event that did not arrive at one sink", "lost", lambda h: without(h, "web", "a", 80)),
    ("the last event that is judged", "lost", lambda h: without(h, "file", "a", 180)),
    ("an event before an edit, with a later one fired", "lost", lambda h: without(h, "file", "a", 90)),
    ("an event after an edit", "lost", lambda h: without(h, "file", "a", 120)),
    ("an event before a mute, with a later one arrived", "lost", lambda h: without(h, "web", "b", 110)),
    ("an event after a mute", "lost", lambda h: without(h, "web", "b", 140)),
    ("a timer that was started", "lost", lambda h: without(h, "file", "t", 75)),
    ("a second id", "two ids", lambda h: h["receipts"].append(receipt("web", "a", 80, 301, delivery="other"))),
    ("an id for two occurrences", "one id for two", lambda h: h["receipts"][0].update(
        delivery=h["receipts"][1]["delivery"])),
    ("an event before its instant", "early", lambda h: moved(h, "a", 100, 99.9)),
    ("a reminder before its instant", "early", lambda h: h["receipts"].insert(
        0, receipt("web", "b", 140, 138.9, "reminder", 139))),
    ("a timer that was too short", "early", lambda h: h["receipts"].append(receipt("web", "t", 72, 72.1))),
    ("an event after a later one", "out of order", lambda h: moved(h, "a", 80, 91)),
    ("an expiry before its reminder", "out of order", lambda h: moved(h, "b", 80, 80.2)),
    ("an event that no definition has", "unasked", lambda h: h["receipts"].append(receipt("web", "a", 185, 186))),
    ("an event of the past of a new definition", "unasked", lambda h: h["receipts"].insert(
        0, receipt("web", "a", 40, 56))),
    ("a timer that nobody started", "unasked", lambda h: h["receipts"].append(receipt("web", "u", 75, 76))),
    ("an event of the former definition", "undone", lambda h: h["receipts"].append(receipt("web", "a", 130, 130.1))),
    ("an event of a removed definition", "undone", lambda h: h["receipts"].append(receipt("web", "b", 160, 160.1))),
    ("an event that was muted", "undone", lambda h: h["receipts"].append(receipt("web", "b", 130, 130.1))),
    ("a timer that was paused", "undone", lambda h: h["receipts"].append(receipt("web", "p", 75, 75.1))),
    ("another source", "two sources", lambda h: h["receipts"][3].update(source="/tminus/other")),
]


def self_test():
    """Exit status 0 if the checker is silent about the right history and complains of each wrong one."""
    problems = [f"the right history: {line}" for line in check(right_history()).lines()]
    for name, kind, spoil in WRONGS:
        history = copy.deepcopy(right_history())
        spoil(history)
        if not check(history).found[kind]:
            problems.append(f"{name}: no complaint of the kind '{kind}'")
    problems += [f"no wrong history of the kind '{kind}'" for kind in KINDS if kind not in {row[1] for row in WRONGS}]
    for problem in problems:
        print(f"checker: {problem}")
    print(f"checker: {len(WRONGS)} wrong histories, {len(problems)} problems")
    return 1 if problems else 0
