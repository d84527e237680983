"""What a user does to a fleet: definitions that change, and controls. Everything is written down for the checker."""

import collections
import datetime
import threading
import time

SECOND = 1_000_000_000
LENGTH = 20  # seconds of each timer
TIMERS = 400
# How long one edit or control may wait for a leader.
PATIENCE = 180
# A fault lasts at most 15 s. Then a machine notes which files it has within 3 s.
SETTLING = 20


def nanoseconds(text):
    """An instant of RFC 3339 as nanoseconds since 1970, exactly."""
    whole, _, rest = text.partition(".")
    digits = ""
    while rest[:1].isdigit():
        digits, rest = digits + rest[0], rest[1:]
    if not digits:
        instant, fraction = datetime.datetime.fromisoformat(whole), 0
    else:
        instant = datetime.datetime.fromisoformat(whole + (rest or "Z"))
        fraction = int(digits.ljust(9, "0"))
    return int(instant.timestamp()) * SECOND + fraction


def rfc3339(instant):
    seconds, rest = divmod(instant, SECOND)
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def version_name(every, lead):
    return f"{every}/{lead}"


class User:
    """Edits and controls at random, on a thread of its own until `stop`. `done` counts what a leader confirmed."""

    def __init__(self, chance, machines, base):
        self.chance, self.machines = chance, machines
        # Occurrences count from here, a whole second.
        self.start = base // SECOND * SECOND
        self.versions, self.controls = [], []
        self.current = {}
        self.done, self.timeline = collections.Counter(), []
        self.number = 0
        self.idle_timers = [f"t{number}" for number in range(TIMERS)]
        self.muted, self.paused = {}, {}
        # The machine that has not got the last edit yet, with the file and its text.
        self.behind = None
        # When a machine that was behind got a file.
        self.caught_up = {}
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def write_all(self, name, text, but=None):
        for machine in self.machines:
            if machine is not but:
                machine.write(name, text)

    def catch_up(self):
        """Brings the machine up to date that is behind, if there is one."""
        if self.behind is not None:
            machine, name, text = self.behind
            machine.write(name, text)
            self.caught_up[name] = time.monotonic()
            self.behind = None

    def editable(self):
        """The ids of definitions that can be changed or removed. What a machine had for less than 3 s it cannot tell
        from a clone that is behind, as the documentation says; and it may be killed or cut off in that time."""
        limit = time.monotonic() - SETTLING
        return sorted(id for id in self.current if self.caught_up.get(f"{id}.yaml", limit) <= limit)

    def choose_behind(self):
        """A machine that gets the next edit later than the others, or None. It is not the leader."""
        followers = [machine for machine in self.machines if not machine.leads()]
        # A machine that takes over, or has not learned that it no longer leads, answers as a leader too.
        if len(followers) in (0, len(self.machines)) or self.chance.random() < 0.5:
            return None
        return self.chance.choice(followers)

    def write_first(self, sinks):
        """Writes the definitions with which the fleet starts. Then `confirm_first` has to be called."""
        self.write_all("tminus.yaml", "defaults: { timezone: UTC, catch-up: all, on-expiry: [file, web, command], "
                                      "on-reminder: [file, web, command] }\n")
        self.write_all("sinks.yaml", sinks)
        timers = "".join(f"  {id}: {{ duration: {LENGTH}s, start: manual }}\n" for id in self.idle_timers)
        self.write_all("timers.yaml", f"timers:\n{timers}")
        for every, lead in [(1, None), (1, None), (2, None), (2, None), (3, 1), (5, 2)]:
            self.save(self.new_id(), every, lead)

    def confirm_first(self):
        return self.confirm(list(self.versions))

    def new_id(self):
        self.number += 1
        return f"e{self.number}"

    def save(self, id, every, lead, but=None):
        """Writes a definition to all machines, except one; `every` None removes it. Returns the versions that begin and
        end."""
        now = time.time_ns()
        touched = []
        if id in self.current:
            old = self.current.pop(id)
            old["until"] = [now, now + PATIENCE * SECOND]
            touched.append(old)
        text = None
        if every is not None:
            remind = f", remind: {lead}s" if lead else ""
            more = f"name: '{version_name(every, lead)}', every: {every}s, start: '{rfc3339(self.start)}'{remind}"
            text = f"events: {{ {id}: {{ {more} }} }}\n"
            new = {
                "id": id, "every": every * SECOND, "start": self.start, "lead": lead * SECOND if lead else None,
                "since": [now, now + PATIENCE * SECOND], "until": None,
            }
            self.current[id] = new
            self.versions.append(new)
            touched.append(new)
        self.write_all(f"{id}.yaml", text, but)
        if but is not None:
            self.behind = (but, f"{id}.yaml", text)
        return touched

    def has(self, id, every, lead):
        """Whether a leader has that version of a definition in force."""
        answer = self.ask("GET", f"/items/{id}")
        if every is None:
            return answer is not None and answer[0] == 404
        return answer is not None and answer[0] == 200 and answer[1].get("name") == version_name(every, lead)

    def confirm(self, touched, version=None):
        """Waits until a leader says that it has everything in force, and notes the instant."""
        answer = self.ask("POST", "/reload?wait=true", until_done=True)
        # The machine that is behind may have taken over before the edit was in force. Then it needs it.
        if answer is not None and self.behind is not None and not self.has(*version):
            self.catch_up()
            answer = self.ask("POST", "/reload?wait=true", until_done=True)
        if answer is None:
            return False
        now = time.time_ns()
        for version in touched:
            edge = version["until"] or version["since"]
            edge[1] = now
        return True

    def ask(self, method, path, body=None, until_done=False):
        """The answer of a machine: (status, object), or None if nobody knows whether it did it. With `until_done` it is
        asked again until one did."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not (self.stopping.is_set() and not until_done):
            for machine in self.chance.sample(self.machines, len(self.machines)):
                # Those that stand by forward it.
                if machine.readiness() is None:
                    continue
                # If each message to the leader's database takes 30 ms, a forwarded request takes 5 s.
                answer = machine.ask(method, path, body, timeout=12.0)
                if until_done and (answer is None or answer[0] != 200):
                    continue
                # With another failure, nobody knows whether it took effect.
                is_known = answer is not None and (answer[0] < 500 or "nothing was changed" in answer[1]["detail"])
                if is_known and answer[0] >= 500:
                    self.done["withdrawn requests"] += 1
                return answer if is_known else None
            # None answers now: ask again.
            time.sleep(0.2)
        return None

    def control(self, verb, id, body=None, **more):
        """Asks for a control and notes it. The object of the answer, or None."""
        noted = {"verb": verb, "id": id, "asked": time.time_ns(), "answered": None, **more}
        if verb in ("start", "pause", "resume", "lengthen"):
            noted["length"] = LENGTH * SECOND
        answer = self.ask("POST", f"/items/{id}/{'start' if verb == 'lengthen' else verb}", body)
        if answer is not None and answer[0] != 200:
            return None
        # From here on it may have taken effect.
        self.controls.append(noted)
        if answer is None:
            self.done["unanswered controls"] += 1
            return None
        item = answer[1]
        if verb in ("start", "resume", "lengthen"):
            noted["due"] = nanoseconds(item["due"])
        if verb == "pause" and item["state"] != "paused":
            # It had expired, so nothing was paused.
            self.controls.pop()
            return None
        noted["answered"] = time.time_ns()
        self.done[verb] += 1
        self.timeline.append((noted["answered"], f"{verb} {id}"))
        return item

    def run(self):
        deck = []
        while not self.stopping.wait(self.chance.uniform(0.2, 1.5)):
            if not deck:
                # In this order most of them find what they need.
                deck = [
                    self.add, self.start_timer, self.lengthen, self.lengthen, self.mute, self.lengthen, self.pause,
                    self.change, self.start_timer, self.lengthen, self.lengthen, self.unmute, self.resume,
                    self.lengthen, self.remove,
                ]
                if self.chance.random() < 0.5:
                    self.chance.shuffle(deck)
            deck.pop(0)()

    def edit(self, verb, id, every, lead):
        self.catch_up()
        touched = self.save(id, every, lead, but=self.choose_behind())
        if self.confirm(touched, (id, every, lead)):
            self.done[verb] += 1
            if self.behind is not None:
                self.done["edits before a machine had them"] += 1
        self.timeline.append((time.time_ns(), f"{verb} {id}"))

    def add(self):
        if len(self.current) < 9:
            self.edit("add", self.new_id(), self.chance.choice([1, 2, 3]), None)

    def change(self):
        editable = self.editable()
        if not editable:
            return
        id = self.chance.choice(editable)
        others = [every for every in (1, 2, 3, 4, 5) if every * SECOND != self.current[id]["every"]]
        self.edit("change", id, self.chance.choice(others), self.chance.choice([None, None, 1]))

    def remove(self):
        editable = self.editable()
        if len(self.current) > 4 and editable:
            self.edit("remove", self.chance.choice(editable), None, None)

    def mute(self):
        id = self.chance.choice(sorted(self.current))
        until = time.time_ns() + int(self.chance.uniform(3, 20) * SECOND)
        if self.control("mute", id, {"until": rfc3339(until)}, until=until):
            self.muted[id] = until

    def unmute(self):
        muted = sorted(id for id, until in self.muted.items() if until > time.time_ns() and id in self.current)
        if muted:
            id = self.chance.choice(muted)
            self.muted.pop(id)
            self.control("unmute", id)

    def start_timer(self):
        if self.idle_timers:
            id = self.idle_timers.pop(0)
            if self.control("start", id):
                self.paused[id] = False

    def lengthen(self):
        """Unlike all other controls, this one has another effect if it is carried out twice."""
        soon = time.time_ns() + LENGTH // 2 * SECOND
        ends = {control["id"]: control.get("due", 0) for control in self.controls if "length" in control}
        running = [id for id, is_paused in self.paused.items() if not is_paused and ends[id] > soon]
        if running:
            self.control("lengthen", self.chance.choice(running), {"add": "3s"})

    def pause(self):
        running = sorted(id for id, is_paused in self.paused.items() if not is_paused)
        if running:
            # The last one: others have expired.
            id = max(running, key=lambda id: int(id[1:]))
            self.paused.pop(id)
            if self.control("pause", id):
                self.paused[id] = True

    def resume(self):
        for id in sorted(id for id, is_paused in self.paused.items() if is_paused)[:1]:
            self.paused.pop(id)
            self.control("resume", id)

    def stop(self):
        self.stopping.set()
        self.thread.join(timeout=2 * PATIENCE)
