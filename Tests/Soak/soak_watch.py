#!/usr/bin/env python3
"""Edits a watched directory at random in every way, faults included, and checks that the daemon follows.

usage: soak_watch.py TMINUS [MINUTES [SEED]]

Again and again it makes some edits and waits until the daemon has followed. Then
- the hash and the number of definitions in the daemon's log must be those of the files on the disk, where a file that
  was broken on purpose counts with its last good content;
- `tminus diff` must find no difference between state and directory.
Events that are due meanwhile must be delivered exactly once each. At the end memory and descriptors must not have
grown. Exits with status 1, the seed and the last actions if any of that does not hold.
"""

import collections
import hashlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from edits import Faults
from followed_daemon import Daemon, Violation

SETTLED = 15  # seconds within which the daemon must have followed
GROWTH_RESIDENT = 12  # MB from the first half after the warm-up to the second
GROWTH_DESCRIPTORS = 3


class Soak(Faults):
    """Makes edits, and checks that the daemon follows."""

    def __init__(self, binary, root, chance):
        self.binary, self.root, self.chance = binary, root, chance
        self.config = root / "config"
        self.outside = root / "outside"
        self.payloads = root / "payloads.ndjson"
        self.actions = collections.deque(maxlen=40)
        self.files = {}  # path below the root: {id: text of the definition}
        self.broken = {}  # path below the root: digest of the content that stays in force
        self.dues = {}  # id: when it is due, in seconds since the epoch
        self.risky = set()  # ids that an edit may have taken out just when they were due
        self.number = 0
        self.samples = []
        self.counts = collections.Counter()
        for directory in [self.config, self.outside]:
            directory.mkdir(mode=0o700)
        (self.config / "tminus.yaml").write_text(
            f"sinks: {{ file: {{ webhook-file: {self.payloads} }} }}\ndefaults: {{ timezone: UTC }}\n")
        self.prepare_volume()
        self.prepare_repository()
        for n in range(12):
            self.files[f"f{n}.yaml"] = {}
            self.change(f"f{n}.yaml")
            (self.config / f"f{n}.yaml").write_text(self.text(f"f{n}.yaml"))

    def note(self, action):
        self.actions.append(f"{time.time():.3f} {action}")
        self.counts[action.split(" ")[0]] += 1

    @staticmethod
    def digest(content):
        return hashlib.sha256(content).hexdigest()[:32]

    def expected(self):
        """Hash and number of the definitions on the disk."""
        digests = dict(self.broken)
        for directory, below, names in os.walk(self.config):
            below[:] = [name for name in below if name[0] not in ".#" and not name.endswith((".yaml", ".json"))]
            for name in names:
                path = pathlib.Path(directory) / name
                key = str(path.relative_to(self.config))
                if name[0] not in ".#" and name.endswith((".yaml", ".yml", ".json")) and key not in self.broken:
                    digests[key] = self.digest(path.read_bytes())
        parts = "".join(f"{path}\0{digest}\0" for path, digest in sorted(digests.items()))
        repository = len(list((self.config / "repository").glob("*.yaml")))
        return self.digest(parts.encode()), sum(map(len, self.files.values())) + 2 + repository

    def check(self):
        expected = self.expected()
        deadline = time.monotonic() + SETTLED
        while self.daemon.state() != expected:
            if self.daemon.process.poll() is not None:
                raise Violation(f"the daemon ended with status {self.daemon.process.returncode}")
            if time.monotonic() > deadline:
                raise Violation(f"live is {self.daemon.state()}, on the disk is {expected}")
            # The daemon tells nobody when it is done with a file: ask again.
            time.sleep(0.02)
        if not self.broken:
            self.compare()
        self.check_deliveries()
        self.samples.append((time.monotonic(), *self.daemon.figures()))

    def compare(self):
        """The state is written a moment after the definitions are in force."""
        command = [self.binary, "diff", "--exit-code", "--config", self.config, "--state", self.root / "state"]
        for _ in range(20):
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode == 0:
                return
            # The write tells nobody: compare again.
            time.sleep(0.1)
        raise Violation(f"diff ended with {result.returncode}: {result.stderr}{result.stdout}")

    def check_deliveries(self):
        delivered = collections.Counter()
        if self.payloads.exists():
            for line in self.payloads.read_text().split("\n")[:-1]:
                event = json.loads(line)
                delivered[event["subject"]] += 1
        doubled = [id for id, count in delivered.items() if count > 1]
        if doubled:
            raise Violation(f"delivered more than once: {doubled}")
        unknown = [id for id in delivered if id not in self.dues]
        if unknown:
            raise Violation(f"delivered though not due: {unknown}")
        now = time.time()
        lost = [id for id, due in self.dues.items() if due < now - 8 and id not in delivered and id not in self.risky]
        if lost:
            raise Violation(f"not delivered: {[(id, self.dues[id]) for id in lost]}")
        self.delivered = len(delivered)

    def run(self, seconds):
        end = time.monotonic() + seconds
        edits = [self.edit_and_save] * 8 + [
            self.sed, self.append, self.touch, self.rename, self.move_out_and_in, self.delete, self.create, self.create,
            self.move_definition, self.move_definition, self.rename_directory, self.swap_volume, self.checkout,
            self.foreign_files, self.hang_ups, self.stop_and_go_on, self.briefly_broken,
        ]
        self.daemon = Daemon(self.binary, self.root)
        try:
            self.check()
            while time.monotonic() < end:
                for _ in range(self.chance.randint(1, 12)):
                    self.chance.choice(edits)()
                    # Random pauses between edits are the test.
                    time.sleep(self.chance.choice([0, 0, 0.01, 0.06, 0.3]))
                self.check()
                if self.chance.random() < 0.4:
                    for _ in range(self.chance.randint(1, 3)):
                        self.break_file()
                    for _ in range(self.chance.randint(1, 4)):
                        self.edit_and_save()
                    self.check()
                    self.mend()
                    self.check()
            # `check` counts a delivery as lost 8 s after its time, so only then it sees the last one.
            time.sleep(max(0, max(self.dues.values(), default=0) - time.time()) + 9)
            self.check()
            self.daemon.process.terminate()
            status = self.daemon.process.wait(timeout=40)
            if status != 0:
                raise Violation(f"exit status {status}")
            self.check_growth()
        finally:
            self.daemon.process.kill()
            self.daemon.process.wait()

    def check_growth(self):
        began, ended = self.samples[0][0], self.samples[-1][0]
        steady = [sample for sample in self.samples if sample[0] > began + (ended - began) / 4]
        half = len(steady) // 2
        if half < 5:
            return
        for column, name, unit, limit in [(1, "resident memory", "MB", GROWTH_RESIDENT),
                                          (2, "descriptors", "", GROWTH_DESCRIPTORS)]:
            first = statistics.median(sample[column] for sample in steady[:half])
            second = statistics.median(sample[column] for sample in steady[half:])
            slope = statistics.linear_regression(
                [(sample[0] - began) / 3600 for sample in steady], [sample[column] for sample in steady]).slope
            print(f"  {name:18} {first:8.1f} then {second:8.1f} {unit:2}  slope {slope:+9.1f} {unit} an hour")
            if second - first > limit:
                raise Violation(f"{name} grew from {first} to {second}")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    print(f"soak-watch: {minutes:g} minutes, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tminus-soak-") as directory:
        soak = Soak(binary, pathlib.Path(directory).resolve(), random.Random(seed))
        try:
            soak.run(minutes * 60)
        except Violation as violation:
            print(f"soak-watch: VIOLATION (seed {seed}): {violation}")
            print("last actions:", *soak.actions, sep="\n  ")
            print("last log lines:", *soak.daemon.log, sep="\n  ")
            return 1
        required = len(soak.dues) - len(soak.risky)
        print(
            f"soak-watch: {sum(soak.counts.values())} actions, {len(soak.samples)} checks, "
            f"{soak.delivered} deliveries, none lost of {required}, none doubled, "
            f"changes missed by notifications {soak.daemon.missed} (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
