"""What goes wrong in a fleet. Each fault is counted when it really happened; `KINDS` lists all that have to happen."""

import collections
import heapq
import itertools
import signal
import time

# The lease is 10 s, and a leader has 5 s more after an outage of the database.
PAST_LEASE = (12.0, 17.0)
# How often a kind comes in one deck, beside the first deck, which has each once.
WEIGHTS = {
    "kill": 3, "long pause": 2, "short pause": 1, "stop": 2, "silent cut-off": 1, "reset cut-off": 1, "delay": 3,
    "commit without an answer": 4, "commit that does not arrive": 2, "database restart": 3,
}
KINDS = list(WEIGHTS)
# What a proxy counts.
DROPPED = {"after": "commit without an answer", "before": "commit that does not arrive"}
# At least one machine has no fault, so that the fleet goes on.
MOST_BUSY = 2


class Faults:
    """Faults of machines, one after another, at most two at a time. `tick` has to be called often, on one thread."""

    def __init__(self, chance, machines, database):
        self.chance, self.machines, self.database = chance, machines, database
        self.counts, self.timeline = collections.Counter(), []
        self.later, self.order = [], itertools.count()
        self.deck = chance.sample(KINDS, len(KINDS))
        self.next = time.monotonic() + 2
        # The server must not be stopped twice.
        self.is_down = False
        self.dropped = {machine.name: dict(machine.proxy.dropped) for machine in machines}

    def note(self, text):
        self.timeline.append((time.time_ns(), text))

    def after(self, seconds, action):
        heapq.heappush(self.later, (time.monotonic() + seconds, next(self.order), action))

    def tick(self, may_begin=True):
        """Ends the faults whose time has come, and begins a new one if none is to wait for."""
        while self.later and self.later[0][0] <= time.monotonic():
            heapq.heappop(self.later)[2]()
        self.count_dropped()
        busy = sum(machine.is_busy for machine in self.machines)
        if may_begin and time.monotonic() >= self.next and busy < MOST_BUSY:
            self.next = time.monotonic() + self.chance.uniform(0.5, 6.0)
            self.begin()

    def is_over(self):
        return not self.later and not any(machine.is_busy for machine in self.machines)

    def begin(self):
        if not self.deck:
            self.deck = [kind for kind, weight in WEIGHTS.items() for _ in range(weight)]
            self.chance.shuffle(self.deck)
        kind = self.deck[-1]
        if kind == "database restart":
            if self.is_down:
                return
            self.restart_database()
        else:
            machine = self.pick(kind.startswith("commit") or kind == "long pause")
            # Without a leader there is nobody whose commit could be lost.
            if machine is None:
                return
            machine.is_busy = True
            getattr(self, kind.replace(" ", "_").replace("-", "_"))(machine)
        self.deck.pop()

    def pick(self, has_to_lead):
        """A machine without a fault; more often the leader."""
        free = [machine for machine in self.machines if not machine.is_busy and machine.is_running()]
        leaders = [machine for machine in free if machine.leads()]
        if leaders and (has_to_lead or self.chance.random() < 0.6):
            return leaders[0]
        return self.chance.choice(free) if free and not has_to_lead else None

    def end(self, machine, action=lambda: None):
        def end():
            action()
            machine.is_busy = False
        return end

    def record(self, kind, machine, text=""):
        self.counts[kind] += 1
        self.note(f"{kind} of {machine.name} {text}".rstrip())

    def kill(self, machine):
        machine.kill()
        # Before the lease is over, so that the same machine leads again, or after it.
        pause = self.chance.choice([self.chance.uniform(0.0, 2.0), self.chance.uniform(*PAST_LEASE)])
        self.record("kill", machine, f"for {pause:.1f} s")
        self.after(pause, self.end(machine, machine.start))

    def long_pause(self, machine):
        self.pause("long pause", machine, self.chance.uniform(*PAST_LEASE))

    def short_pause(self, machine):
        self.pause("short pause", machine, self.chance.uniform(0.2, 7.0))

    def pause(self, kind, machine, seconds):
        process = machine.process
        process.send_signal(signal.SIGSTOP)
        self.record(kind, machine, f"for {seconds:.1f} s")
        self.after(seconds, self.end(machine, lambda: process.send_signal(signal.SIGCONT)))

    def stop(self, machine):
        machine.is_down = True
        machine.send(signal.SIGTERM)
        self.record("stop", machine)
        self.await_end(machine, time.monotonic() + 90)

    def await_end(self, machine, deadline):
        if machine.is_running() and time.monotonic() < deadline:
            self.after(0.1, lambda: self.await_end(machine, deadline))
            return
        if machine.is_running():
            machine.problems.append(f"{machine.name}: SIGTERM did not end the daemon within 90 s")
            machine.kill()
        # 74: it could not store what was in hand, or had lost its lease. SIGTERM: it had only begun.
        elif machine.process.returncode not in (0, 74, -signal.SIGTERM):
            machine.problems.append(f"{machine.name}: after SIGTERM the status is {machine.process.returncode}")
        self.after(self.chance.uniform(0.1, 3.0), self.end(machine, machine.start))

    def silent_cut_off(self, machine):
        self.cut_off("silent cut-off", machine, True)

    def reset_cut_off(self, machine):
        self.cut_off("reset cut-off", machine, False)

    def cut_off(self, kind, machine, is_silent):
        seconds = self.chance.uniform(2.0, 22.0)
        machine.proxy.cut(is_silent)
        self.record(kind, machine, f"for {seconds:.1f} s")
        self.after(seconds, self.end(machine, machine.proxy.heal))

    def delay(self, machine):
        # With a short one, a leader is slow to carry out what is forwarded, and still in time for the user.
        delay, seconds = self.chance.choice([
            (self.chance.uniform(0.02, 0.3), self.chance.uniform(3.0, 10.0)),
            (self.chance.uniform(0.005, 0.03), self.chance.uniform(10.0, 25.0)),
        ])
        machine.proxy.set_delay(delay)
        self.record("delay", machine, f"of {delay:.2f} s for {seconds:.1f} s")
        self.after(seconds, self.end(machine, machine.proxy.heal))

    def commit_without_an_answer(self, machine):
        self.drop(machine, "after")

    def commit_that_does_not_arrive(self, machine):
        self.drop(machine, "before")

    def drop(self, machine, when):
        machine.proxy.arm(when)
        # It is counted by `count_dropped`, for the next COMMIT may never come.
        self.after(5.0, self.end(machine, machine.proxy.heal))

    def count_dropped(self):
        for machine in self.machines:
            for when, kind in DROPPED.items():
                while self.dropped[machine.name][when] < machine.proxy.dropped[when]:
                    self.dropped[machine.name][when] += 1
                    self.record(kind, machine)

    def restart_database(self, longest=6.0):
        seconds = self.chance.uniform(0.0, longest)
        # Everything is due at whole seconds. Soon after, firings have just been written; then, ends of attempts.
        phase = self.chance.uniform(*self.chance.choice([(0.01, 0.1), (0.2, 0.4)]))
        # The crash has its place in the second.
        time.sleep(1 - time.time() % 1 + phase)
        self.database.crash()
        self.is_down = True
        self.counts["database restart"] += 1
        self.note(f"database restart after {seconds:.1f} s")
        self.after(seconds, self.start_database)

    def start_database(self):
        self.database.start()
        self.is_down = False
