#!/usr/bin/env python3
"""Runs three daemons on one database, one of which leads, and lets everything go wrong that may: kills, pauses, stops,
cut-offs, lost answers, restarts of the database, edits and controls, at random from a seed. Then the faults stop, the
fleet settles, and a checker that knows nothing of tminus counts what was lost, doubled, early or out of order.

A kind of fault that never happened fails the run, too: MINUTES below 3 are not enough for all. What arrived is kept as
evidence if anything is wrong; `checker.py HISTORY.json` judges it again.
"""

import argparse
import bisect
import collections
import json
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

import wrong_histories
from checker import SECOND, check
from database import Database, roomy_directory
from faults import KINDS, Faults
from machine import Machine
from proxy import Proxy
from sinks import NAMES, Sinks
from user import User

CONTROLS = ["add", "change", "remove", "mute", "unmute", "start", "pause", "resume", "lengthen"]
# How long a busy machine may take to settle after the last fault.
PATIENCE = 240
INTERRUPTED = "interrupted"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, nargs="?")
    parser.add_argument("--minutes", type=float, default=10, help="how long faults happen (default 10)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--older", type=pathlib.Path, metavar="BIN",
                        help="an older program, with which all start; it is replaced on one machine after the other")
    parser.add_argument("--self-test", action="store_true", help="only try the checker on wrong histories")
    options = parser.parse_args()
    status = wrong_histories.self_test()
    if status or options.self_test:
        return status
    if options.binary is None:
        parser.error("which program?")
    # Ctrl-C and TERM end the daemons and the database, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("fleet-chaos: ended by SIGTERM"))
    with tempfile.TemporaryDirectory(prefix="tminus-fleet-", dir=roomy_directory()) as directory:
        database = Database()
        try:
            return Run(options, pathlib.Path(directory), database).run()
        finally:
            database.close()


class Run:
    """One fleet from its start to the report."""

    def __init__(self, options, root, database):
        self.options, self.root, self.database = options, root, database
        # A copy, so that a build at the same time does not take the program from under the daemons.
        self.binary = shutil.copy2(options.binary, root / "tminus")
        older = shutil.copy2(options.older, root / "older") if options.older else None
        self.machines = [
            Machine(number, root, older or self.binary, Proxy(database), self.is_expected) for number in (1, 2, 3)
        ]
        self.user = User(random.Random(options.seed + 1), self.machines, time.time_ns())
        self.faults = Faults(random.Random(options.seed), self.machines, database)
        self.problems, self.out_of_turn = [], []
        self.upgrades = False
        self.leaders, self.leader = collections.Counter(), None
        # Who was seen to lead, from when on.
        self.terms = []

    def is_expected(self, status):
        # A newer daemon may have changed the schema, so that the older one may not use it.
        return self.upgrades and status == 65

    def run(self):
        with Sinks(self.root, self.machines) as sinks:
            try:
                self.user.write_first(sinks.definitions())
                for machine in self.machines:
                    machine.start()
                if not self.user.confirm_first():
                    self.problems.append("nobody leads at the start")
                    return self.report(sinks, 0)
                self.user.thread.start()
                if self.options.older:
                    self.upgrade()
                self.break_things()
                end = self.settle(sinks)
                self.end()
                return self.report(sinks, end)
            finally:
                for machine in self.machines:
                    if machine.is_running():
                        machine.kill()

    def tick(self, may_begin=False):
        self.faults.tick(may_begin)
        for machine in self.machines:
            machine.keep()
        # The step of all loops here: faults come by time, and machines tell nobody that they ended.
        time.sleep(0.05)

    def wait(self, condition, what, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not condition():
            if time.monotonic() > deadline:
                self.problems.append(f"not within {patience} s: {what}")
                return False
            self.tick()
        return True

    def upgrade(self):
        """Replaces the program on one machine after the other while deliveries go on."""
        self.upgrades = True
        for machine in self.machines:
            machine.is_down = True
            machine.send(signal.SIGTERM)
            self.wait(lambda machine=machine: not machine.is_running(), f"{machine.name} ends for the upgrade")
            machine.binary = self.binary
            before = machine.log.stat().st_size
            machine.start()
            self.wait(lambda machine=machine, before=before: self.is_in_service(machine, before),
                      f"{machine.name} runs after the upgrade")
            self.faults.note(f"upgrade of {machine.name}")
            self.faults.counts["upgrade"] += 1
        self.wait(lambda: any(machine.leads() for machine in self.machines), "somebody leads after the upgrade")
        self.upgrades = False

    @staticmethod
    def is_in_service(machine, before):
        text = machine.log.read_text(errors="replace")[before:]
        return " stands by; " in text or "definitions in force" in text

    def break_things(self):
        end = time.monotonic() + self.options.minutes * 60
        look = 0.0
        while time.monotonic() < end:
            self.tick(may_begin=True)
            if time.monotonic() > look:
                look = time.monotonic() + 1
                self.watch_leader()

    def watch_leader(self):
        """Counts take-overs, as seen from outside."""
        for machine in self.machines:
            if not machine.is_busy and machine.name != self.leader and machine.leads():
                if self.leader is not None:
                    self.faults.note(f"{machine.name} leads")
                    self.leaders[machine.name] += 1
                self.leader = machine.name
                self.terms.append((time.time_ns(), machine.name))

    def followed(self, receipts):
        """How many commands ran on a machine while another one led: a while after it was first seen to, and before the
        next one was."""
        instants = [since for since, _ in self.terms] + [time.time_ns()]
        count = 0
        for receipt in receipts:
            index = bisect.bisect_right(instants, receipt["at"]) - 1
            is_sure = 0 <= index < len(self.terms) and (
                instants[index] + SECOND < receipt["at"] < instants[index + 1] - 15 * SECOND)
            if is_sure and receipt.get("machine") not in (None, self.terms[index][1]):
                count += 1
        return count

    def crash_database(self):
        """Lets the database crash, and the fleet go on for 5 s after it."""
        self.faults.restart_database(0.1)
        self.wait(self.faults.is_over, "the database answers again")
        self.wait(lambda: any(machine.leads() for machine in self.machines), "somebody leads after a restart")
        calm = time.monotonic() + 5
        self.wait(lambda: time.monotonic() > calm, "it goes on")

    def settle(self, sinks):
        """Ends all faults and waits until everything has arrived. The instant up to which it had to."""
        self.wait(self.faults.is_over, "the last fault ends")
        # The last faults: no daemon starts again after them, so those that run have to find what they take away.
        for _ in range(5):
            self.crash_database()
        self.user.stopping.set()
        self.wait(lambda: not self.user.thread.is_alive(), "the last edit is in force")
        end = time.time_ns()
        # A former leader that was cut off learns when it renews its lease that another one leads, and is started again.
        learned = time.monotonic() + 6
        self.wait(lambda: time.monotonic() > learned, "every machine knows who leads")
        self.wait(lambda: any(machine.leads() for machine in self.machines), "somebody leads at the end")
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for _ in range(40):
                self.tick()
            self.retry_interrupted()
            if not check(self.history(sinks, end)).found["lost"]:
                break
        return end

    def retry_interrupted(self):
        """What three ends of the process have met in a row is dead by the rule; others have overtaken it."""
        for machine in self.machines:
            answer = machine.ask("GET", "/deliveries?state=dead&limit=1000") if machine.leads() else None
            for delivery in answer[1] if answer and answer[0] == 200 else []:
                if delivery.get("reason") == INTERRUPTED:
                    self.out_of_turn.append(delivery["id"])
                    machine.ask("POST", f"/deliveries/{delivery['id']}/retry")
                elif delivery["id"] not in self.out_of_turn:
                    self.out_of_turn.append(delivery["id"])
                    self.problems.append(f"dead: {delivery['definition']} to {delivery['sink']}: {delivery['message']}")

    def end(self):
        for machine in self.machines:
            machine.is_down = True
            machine.send(signal.SIGTERM)
        for machine in self.machines:
            if self.wait(lambda machine=machine: not machine.is_running(), f"{machine.name} ends", 60):
                status = machine.process.returncode
                if status != 0:
                    self.problems.append(f"{machine.name}: the last status is {status}{machine.last_words(status)}")

    def history(self, sinks, end):
        return {
            "end": end, "sinks": NAMES, "versions": self.user.versions, "controls": self.user.controls,
            "receipts": sinks.all(), "out_of_turn": self.out_of_turn,
        }

    def report(self, sinks, end):
        history = self.history(sinks, end)
        complaints = check(history)
        found = {kind: len(texts) for kind, texts in complaints.found.items()}
        problems = self.problems + sinks.torn + list(complaints.lines())
        for machine in self.machines:
            problems += machine.problems
        never = [kind for kind in KINDS if not self.faults.counts[kind]]
        never += [verb for verb in CONTROLS if not self.user.done[verb]]
        never += [] if self.user.done["edits before a machine had them"] else ["a machine that is behind"]
        never += [] if self.leaders else ["take-over"]
        followed = self.followed(history["receipts"])
        never += [] if followed else ["a delivery by a machine that does not lead"]
        problems += [f"never happened: {what}; more minutes, or another seed" for what in never]
        receipts = history["receipts"]
        repeats = len(receipts) - len({(receipt["delivery"], receipt["sink"]) for receipt in receipts})
        late = max((receipt["at"] - receipt["due"] for receipt in receipts), default=0) / SECOND
        print(f"fleet-chaos: {self.options.minutes:g} minutes, seed {self.options.seed}")
        for counts in (self.faults.counts, self.user.done):
            print("fleet-chaos: " + ", ".join(f"{count} × {what}" for what, count in sorted(counts.items())))
        print(f"fleet-chaos: {self.leaders.total()} take-overs, "
              f"{sum(machine.gave_up for machine in self.machines)} daemons ended by themselves and started again; "
              f"{len(self.out_of_turn)} deliveries were interrupted three times and retried")
        print(f"fleet-chaos: at least {followed} commands ran on machines that did not lead")
        print(f"fleet-chaos: {len(receipts)} deliveries, {repeats} of them repeats with the same id, "
              f"the latest by {late:.1f} s")
        print("fleet-chaos: " + ", ".join(f"{count} {kind}" for kind, count in found.items()))
        for problem in problems:
            print(f"fleet-chaos: {problem}")
        if problems:
            print(f"fleet-chaos: the evidence is kept in {self.keep_evidence(history)}")
        return 1 if problems else 0

    def keep_evidence(self, history):
        kept = pathlib.Path(tempfile.mkdtemp(prefix=f"tminus-fleet-{self.options.seed}-"))
        (kept / "history.json").write_text(json.dumps(history))
        timeline = sorted(self.faults.timeline + self.user.timeline)
        (kept / "timeline.txt").write_text("".join(f"{at / SECOND:.3f} {text}\n" for at, text in timeline))
        for machine in self.machines:
            machine.keep_evidence(kept)
        return kept


if __name__ == "__main__":
    sys.exit(main())
