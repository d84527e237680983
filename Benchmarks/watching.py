#!/usr/bin/env python3
"""Measures what the files of a large directory cost: an edit of one among 10,000, and a storm of foreign files.

usage: watching.py TMINUS [PART...]

Parts: large, storm; default both. Writes figures for table.py. An edit is live when the daemon logs "rescheduled": then
the new schedule is in the store; the clock runs from the moment when the writer has closed the file.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from daemon import Daemon, age, say
from table import Row


def fill(config, files, definitions):
    config.mkdir(mode=0o700)
    (config / "probe.yaml").write_text("timers: { probe: { duration: 1ms } }\n")
    for n in range(files):
        (config / f"f{n:05}.yaml").write_text(text(n, definitions, 0))
    age(config)


def text(n, definitions, minute):
    """Events, the first of which is at a minute that an edit can change."""
    lines = ["events:"]
    for d in range(definitions):
        day = f"{1 + d % 28:02}"
        moment = f"2099-02-{day} 12:00" if d else f"2099-01-{day} {minute // 60 % 24:02}:{minute % 60:02}"
        lines.append(f"  e{n}-{d}: {{ at: {moment}, remind: [1 week, 1 day] }}")
    return "\n".join(lines) + "\n"


def is_taken(line):
    return line["message"] == "directory content loaded"


def is_rescheduled(line):
    return line["message"] == "rescheduled"


def bench_large(binary, files=10_000, edits=20):
    """How many files the daemon reads and parses for one edit."""
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        fill(root / "config", files, 1)
        with Daemon(binary, root, "--log-level", "debug") as daemon:
            _, last = daemon.next(is_taken)
            daemon.first_delivery()
            time.sleep(3)
            reads, parsed, delays = [], [], []
            for edit in range(edits):
                path = root / "config" / f"f{edit * 401 % files:05}.yaml"
                path.write_text(text(edit * 401 % files, 1, 1 + edit))
                saved = time.monotonic()
                _, line = daemon.next(is_taken, 10)
                live, _ = daemon.next(is_rescheduled, 10)
                delays.append((live - saved) * 1000)
                reads.append(int(line["watch.reads"]) - int(last["watch.reads"]))
                parsed.append(int(line["files.parsed"]) - int(last["files.parsed"]))
                last = line
        for what, counts in [("read", reads), ("parsed", parsed)]:
            Row(f"files {what} for an edit of one among {files:,}: the most", "", [max(counts)], 1).write()
        Row(f"edit to live, {files:,} files of 1", "ms", delays).write()


# Creates, writes, renames and deletes a file that is no definition file: six events in each round.
STORM = """
import os, sys, time
directory, rate, seconds = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
os.chdir(directory)
name, other = f"{os.getpid()}.log", f"{os.getpid()}.log.1"
events, began = 0, time.monotonic()
while (now := time.monotonic() - began) < seconds:
    if events > now * rate:
        time.sleep(0.001)
        continue
    for _ in range(20):
        file = os.open(name, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.write(file, b"x")
        os.close(file)
        os.rename(name, other)
        os.unlink(other)
        events += 6
print(events / (time.monotonic() - began))
"""


def bench_storm(binary, rate=50_000, seconds=8, writers=2):
    # In memory: a disk would slow the generators down, not the daemon.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tminus-bench-", dir=place) as directory:
        root = pathlib.Path(directory)
        fill(root / "config", 100, 10)
        with Daemon(binary, root, "--log-level", "debug") as daemon:
            daemon.first_delivery()
            time.sleep(3)
            generators = [
                subprocess.Popen(
                    [sys.executable, "-c", STORM, root / "config", str(rate / writers), str(seconds)],
                    stdout=subprocess.PIPE,
                )
                for _ in range(writers)
            ]
            time.sleep(1)
            used, began = daemon.processor_seconds(), time.monotonic()
            shares, delays = [], []
            for edit in range(int(seconds) - 2):
                path = root / "config" / "f00001.yaml"
                path.write_text(text(1, 10, 1 + edit))
                saved = time.monotonic()
                live, _ = daemon.next(is_rescheduled, 10)
                delays.append((live - saved) * 1000)
                time.sleep(max(0, 1 - (time.monotonic() - began)))
                now_used, now = daemon.processor_seconds(), time.monotonic()
                shares.append((now_used - used) / (now - began) * 100)
                used, began = now_used, now
            achieved = sum(float(generator.communicate()[0]) for generator in generators)
        Row(f"events of foreign files, {rate:,} wanted", "/s", [achieved]).write()
        Row("processor time during that, of a core", "%", shares, 20).write()
        Row("edit to live during that: the slowest", "ms", [max(delays)], 150).write()


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    for part in sys.argv[2:] or ["large", "storm"]:
        say(f"watching: {part}")
        {"large": bench_large, "storm": bench_storm}[part](binary)


if __name__ == "__main__":
    main()
