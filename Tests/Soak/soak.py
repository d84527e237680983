#!/usr/bin/env python3
"""Runs the daemon at 500 firings a second into a webhook-file, with an edit every second, and shows that nothing grows.

usage: soak.py TMINUS [MINUTES]

500 timers of one second repeat at a fixed rate. Every second one of 50 other files is written anew, or the name of a
timer changes; every tenth second a file is broken or repaired. The due instants of each timer must follow each other
without a gap, each exactly once. From minute 5 on (from a sixth of the time, if that is less) a line is fitted to
lateness, memory and descriptors. Exits with status 1 if a firing is missing or doubled, or if one of the three grows
or is too large.

All 500 are due at one instant, so their lateness is that of one transaction. How long a transaction takes varies with
the machine: one that takes 20 ms at best can take 80. So the worst of a peer stands beside it: a
plain SQLite transaction that writes 500 rows into each of two tables, once a second, in the same run.
"""

import collections
import json
import os
import pathlib
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

TIMERS = 500
HOUR = 3600
LATE_P50 = 50.0  # milliseconds
LATE_P99 = 50.0  # milliseconds, of the median minute
GROWTH_LATE = 10.0  # milliseconds an hour, of the median
GROWTH_RESIDENT = 20.0  # MB an hour
GROWTH_DESCRIPTORS = 3.0  # an hour


def slope(points):
    """Of the least-squares line through (x, y)."""
    points = list(points)
    if len(points) < 2:
        return 0.0
    mean_x, mean_y = statistics.fmean(x for x, _ in points), statistics.fmean(y for _, y in points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def percentile_99(values):
    return sorted(values)[len(values) * 99 // 100]


class Deliveries:
    """Follows the file of deliveries across its rotations."""

    def __init__(self, directory):
        self.directory = directory
        self.file = None
        self.rest = b""
        self.last = {}  # of each timer, the due instant in nanoseconds
        self.problems = []
        self.count = 0
        self.late = collections.defaultdict(list)  # by minute, in milliseconds
        self.start = time.monotonic()

    def open(self):
        path = self.directory / "deliveries.ndjson"
        if self.file is None and path.exists():
            self.file = open(path, "rb")  # noqa: SIM115 (open until the file is rotated)

    def read(self):
        """Takes in what has been written since."""
        self.open()
        while self.file is not None:
            data = self.file.read(1 << 20)
            if data:
                lines = (self.rest + data).split(b"\n")
                self.rest = lines.pop()
                for line in lines:
                    self.take(json.loads(line))
                continue
            # At the end: is it still the file of that name?
            try:
                same = os.stat(self.directory / "deliveries.ndjson").st_ino == os.fstat(self.file.fileno()).st_ino
            except FileNotFoundError:
                same = False
            if same:
                return
            # Once more, for what was written between the read and the rename.
            if (data := self.file.read()):
                self.rest += data
                continue
            self.file.close()
            self.file, before = None, self.rest
            self.rest = b""
            if before:
                self.problems.append(f"a rotated file ends within a line: {before[:80]!r}")
            self.open()

    def take(self, event):
        self.count += 1
        data = event["data"]
        due = nanoseconds(data["scheduled"])
        timer = event["subject"]
        before = self.last.get(timer)
        if before is not None and due - before != 1_000_000_000:
            self.problems.append(f"{timer}: {data['scheduled']} is {(due - before) / 1e9} s after the one before")
        self.last[timer] = due
        minute = int((time.monotonic() - self.start) / 60)
        self.late[minute].append(data["late"] * 1000)


def nanoseconds(text):
    """Of an RFC 3339 instant in UTC."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = int(time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")))
    return seconds * 1_000_000_000 + int(fraction.ljust(9, "0") or 0)


class Edits:
    """An edit every second; which one is drawn."""

    def __init__(self, config, random):
        self.config, self.random, self.number = config, random, 0
        for file in range(50):
            self.write(file)

    def write(self, file):
        (self.config / f"events-{file}.yaml").write_text(
            f"events: {{ event-{file}: {{ at: 2099-01-01, name: Edit {self.number}, remind: [1 day, 1h] }} }}\n")

    def timers(self):
        path = self.config / ".timers.yaml"
        lines = [
            "defaults: { on-expiry: [all] }",
            "sinks: { all: { webhook-file: ../out/deliveries.ndjson, rotate: 64MiB, keep: 3 } }",
            "timers:",
        ]
        for n in range(TIMERS):
            name = f"Timer {n} {self.number}" if n % 50 == self.number % 50 else f"Timer {n}"
            lines.append(f"  timer-{n}: {{ duration: 1s, repeat: immediately, catch-up: all, name: {name} }}")
        path.write_text("\n".join([*lines, ""]))
        path.rename(self.config / "timers.yaml")

    def step(self):
        self.number += 1
        if self.number % 10 == 0:
            (self.config / "events-0.yaml").write_text("events:\n  event-0: { at: \n")
        elif self.number % 10 == 5:
            self.write(0)
        elif self.random.random() < 0.2:
            self.timers()
        else:
            self.write(self.random.randrange(1, 50))


class Peer:
    """Two rows for each of 500 firings, in one transaction that waits for the disk; its log is moved afterwards."""

    def __init__(self, path, random):
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.execute("PRAGMA wal_autocheckpoint = 0")
        for table in ("delivery", "schedule"):
            self.database.execute(f"CREATE TABLE {table} (id TEXT PRIMARY KEY, content TEXT)")
        self.random = random
        self.took = collections.defaultdict(list)  # by minute, in milliseconds

    def write(self, minute):
        start = time.monotonic()
        self.database.execute("BEGIN IMMEDIATE")
        for timer in range(TIMERS):
            # A key anywhere among 100,000, as an id that is a hash.
            key = f"{self.random.randrange(100_000):064d}"
            self.database.execute("INSERT OR REPLACE INTO delivery VALUES (?, ?)", (key, "x" * 300))
            self.database.execute("INSERT OR REPLACE INTO schedule VALUES (?, ?)", (f"timer-{timer}", key))
        self.database.execute("COMMIT")
        self.took[minute].append((time.monotonic() - start) * 1000)
        self.database.execute("PRAGMA wal_checkpoint(PASSIVE)")


def figures(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    resident = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS:"))
    return resident, len(os.listdir(f"/proc/{pid}/fd"))


def main():
    os.environ["TZ"] = "UTC"
    time.tzset()
    binary = pathlib.Path(sys.argv[1]).resolve()
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    if minutes < 2:
        sys.exit("soak: at least 2 minutes, of which the first is for warming up")
    with tempfile.TemporaryDirectory(prefix="tminus-soak-") as directory:
        root = pathlib.Path(directory)
        (root / "config").mkdir(mode=0o700)
        (root / "out").mkdir()
        edits = Edits(root / "config", random.Random(1))
        edits.timers()
        with open(root / "log", "wb") as log:
            daemon = subprocess.Popen(
                [binary, "run", "--config", root / "config", "--state", root / "state", "--log-level", "warning"],
                stdout=subprocess.DEVNULL, stderr=log)
        deliveries = Deliveries(root / "out")
        peer = Peer(root / "peer.sqlite", random.Random(2))
        start = time.monotonic()
        samples = []  # seconds, MB, descriptors
        try:
            while (passed := time.monotonic() - start) < minutes * 60:
                if daemon.poll() is not None:
                    said = (root / "log").read_text()
                    sys.exit(f"soak: the daemon has ended with status {daemon.returncode}\n{said}")
                deliveries.read()
                peer.write(int(passed / 60))
                samples.append((passed, *figures(daemon.pid)))
                edits.step()
                if passed >= 1 and int(passed) % 60 == 0:
                    print(f"minute {int(passed) // 60}: {deliveries.count} deliveries, {samples[-1][1]:.1f} MB, "
                          f"{samples[-1][2]} descriptors", flush=True)
                # A sample and an edit each second is the load.
                time.sleep(max(0, 1 - (time.monotonic() - start - passed)))
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(timeout=40)
            deliveries.read()
        finally:
            daemon.kill()
            daemon.wait()
        store = sum(path.stat().st_size for path in (root / "state").glob("tminus.sqlite*")) / 1e6

    first = min(5.0, minutes / 6)
    steady = [sample for sample in samples if sample[0] >= first * 60]
    late = {minute: values for minute, values in deliveries.late.items() if first <= minute < int(minutes)}
    medians = [(minute * 60, statistics.median(values)) for minute, values in late.items()]
    p50 = statistics.median(median for _, median in medians)
    p99 = statistics.median(percentile_99(values) for values in late.values())
    peer_p99 = statistics.median(percentile_99(peer.took[minute]) for minute in late if peer.took[minute])
    growth = slope(medians) * HOUR
    resident = slope((x, y) for x, y, _ in steady) * HOUR
    descriptors = slope((x, y) for x, _, y in steady) * HOUR
    rows = [
        ("deliveries", f"{deliveries.count} ({deliveries.count / (minutes * 60):.0f} a second)", True),
        ("missing or doubled", f"{len(deliveries.problems)}", not deliveries.problems),
        ("timers heard", f"{len(deliveries.last)} of {TIMERS}", len(deliveries.last) == TIMERS),
        ("late, p50", f"{p50:.2f} ms (at most {LATE_P50}), slope {growth:+.2f} ms an hour",
         p50 <= LATE_P50 and growth <= GROWTH_LATE),
        ("late, p99", f"{p99:.2f} ms (at most {LATE_P99}), {p99 / peer_p99:.1f} times that of a plain transaction",
         p99 <= LATE_P99),
        ("resident memory", f"{steady[-1][1]:.1f} MB, slope {resident:+.1f} MB an hour", resident <= GROWTH_RESIDENT),
        ("descriptors", f"{steady[-1][2]}, slope {descriptors:+.2f} an hour", descriptors <= GROWTH_DESCRIPTORS),
        ("store", f"{store:.0f} MB", True),
    ]
    for name, figure, met in rows:
        print(f"{name:20} {figure}{'' if met else '   MISSED'}")
    for problem in deliveries.problems[:20]:
        print(problem)
    sys.exit(0 if all(met for _, _, met in rows) else 1)


if __name__ == "__main__":
    main()
