#!/usr/bin/env python3
"""Measures commands, the control socket and the live view.

usage: control.py TMINUS [PART...]

Parts: commands, watch; default all. Writes figures for table.py.
"""

import fcntl
import os
import pathlib
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

from daemon import Connection, Daemon, Failed, age, precise_processor_seconds, quantile, runs, say
from table import Row


def timers(config, count, seconds):
    """Writes running timers, the first of `seconds`, each a second longer than the last, and one that ends at once."""
    config.mkdir(mode=0o700)
    lines = ["timers:", "  probe: { duration: 1ms }"]
    lines += [f"  t{n}: {{ duration: {seconds + n}s, on-expiry: [] }}" for n in range(count)]
    (config / "timers.yaml").write_text("\n".join(lines) + "\n")
    age(config)


def milliseconds(work):
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def bench_commands(binary, count=10_000):
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        timers(root / "config", count, 3600)
        with Daemon(binary, root) as daemon:
            daemon.first_delivery()

            def command(*words):
                return milliseconds(lambda: subprocess.run(
                    [binary, *words, "--socket", daemon.socket], stdout=subprocess.DEVNULL, check=True))

            connection = Connection(daemon.connect())
            command("list")
            kinds = {"list": ["list"], "json": ["list", "--json"], "show": ["show", "t5"], "pause": []}
            times = {name: [] for name in kinds}
            trips, slow = [], []
            for number in range(3 * runs()):
                kinds["pause"] = ["resume" if number % 2 else "pause", "t5"]
                for name, words in kinds.items():
                    times[name].append(command(*words))
                trip = [milliseconds(lambda verb=verb: connection.take("POST", f"/items/t7/{verb}"))
                        for verb in ["pause", "resume"] * 50]
                trips.append(statistics.median(trip))
                slow.append(quantile(trip, 0.99))
            Row(f"tminus list, {count:,} definitions", "ms", times["list"], 150).write()
            Row(f"tminus list --json, {count:,} definitions", "ms", times["json"]).write()
            Row(f"tminus show, {count:,} definitions", "ms", times["show"], 50).write()
            Row("tminus pause, from start to exit", "ms", times["pause"]).write()
            Row("control request round trip, median of 100", "ms", trips, 2).write()
            Row("control request round trip, p99 of 100", "ms", slow).write()


class View:
    """The live view on a terminal of its own."""

    def __init__(self, binary, daemon, lines, columns):
        self.columns, self.lines, self.written = columns, lines, 0
        self.pid, self.terminal = os.forkpty()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            # Before the view starts and asks for its size.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            os.execv(binary, [str(binary), "watch", "--socket", daemon.socket])

    def end(self):
        """Ends it by its key; kills it if it does not end."""
        os.write(self.terminal, b"q")
        end = time.monotonic() + 5
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
            try:
                if select.select([self.terminal], [], [], 0.05)[0]:
                    os.read(self.terminal, 1 << 16)
            except OSError:
                time.sleep(0.05)
        os.close(self.terminal)


def read(views, seconds):
    """Reads and counts what views write to their terminals for so many seconds."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        ready = select.select([view.terminal for view in views], [], [], left)[0]
        for view in views:
            if view.terminal in ready:
                view.written += len(os.read(view.terminal, 1 << 16))


def bench_watch(binary, count=200, seconds=10):
    """Two at once; one view does not depend on the other."""
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        timers(root / "config", count, 3600)
        with Daemon(binary, root) as daemon:
            daemon.first_delivery()
            views = [View(binary, daemon, 24, 80), View(binary, daemon, 210, 200)]
            try:
                read(views, 2)
                if any(view.written < 500 for view in views):
                    raise Failed("the live view shows nothing")
                rates, shares = [[] for _ in views], [[] for _ in views]
                for _ in range(runs()):
                    before = [(view.written, precise_processor_seconds(view.pid)) for view in views]
                    began = time.monotonic()
                    read(views, seconds)
                    passed = time.monotonic() - began
                    for number, (view, (written, used)) in enumerate(zip(views, before, strict=True)):
                        rates[number].append((view.written - written) / passed / 1000)
                        shares[number].append((precise_processor_seconds(view.pid) - used) / passed * 100)
            finally:
                for view in views:
                    view.end()
            for view, rate, share in zip(views, rates, shares, strict=True):
                name = f"watch, {count} countdowns, {view.columns}x{view.lines}"
                Row(f"{name}: terminal output", "KB/s", rate, 20).write()
                Row(f"{name}: of a core", "%", share, 3).write()


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    for part in sys.argv[2:] or ["commands", "watch"]:
        say(f"control: {part}")
        {"commands": bench_commands, "watch": bench_watch}[part](binary)


if __name__ == "__main__":
    main()
