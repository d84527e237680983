#!/usr/bin/env python3
"""Measures other schedulers beside tminus: starting with 100,000 entries, idling with 1,000, lateness.

usage: peers.py TMINUS [PART...]

Parts: start, idle, late; default all. Writes figures for table.py. Needs cron, remind and Go with robfig/cron (Debian),
and installs APScheduler (from PyPI, in a virtual environment below .build). cron(8) runs only for root, in a mount
namespace of its own, so that it does not read the tables of this machine.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from daemon import Daemon, Failed, age, runs, say, status_megabytes, voluntary_switches, wake_ups
from parts import Late
from table import Row

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "peer-programs"
BUILT = HERE / ".build/peers"
APSCHEDULER = "apscheduler==3.11.3"


def prepare():
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["gcc", "-O2", "-Wall", "-o", BUILT / "lateness", PROGRAMS / "lateness.c"], check=True)
    subprocess.run(
        ["go", "build", "-o", BUILT / "robfig", PROGRAMS / "robfig.go"], check=True,
        env=os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(BUILT / "go-cache")})
    if not (BUILT / "python/bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", BUILT / "python"], check=True)
    subprocess.run(
        [BUILT / "python/bin/pip", "install", "--quiet", "--disable-pip-version-check", APSCHEDULER], check=True,
        stdout=sys.stderr)


class Armed:
    """A program that says "armed" once it has its entries, and then waits."""

    def __init__(self, *words):
        self.began = time.monotonic()
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        if self.process.stdout.readline() != b"armed\n":
            raise Failed(f"{words[0]} does not arm its entries")
        self.seconds = time.monotonic() - self.began

    def end(self):
        self.process.kill()
        self.process.wait()


class Cron:
    """cron(8) with its own tables, of 1,000 lines each: it ignores longer ones. It is ready when it sleeps."""

    def __init__(self, root, count):
        for name in ["tables", "run", "etc"]:
            (root / name).mkdir(exist_ok=True)
        tables = root / "tables"
        for first in range(0, count, 1_000):
            lines = [f"{n % 60} {n // 60 % 24} 1 1 * root true\n" for n in range(first, min(count, first + 1_000))]
            (root / f"etc/f{first}").write_text("".join(lines))
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            ["unshare", "-m", "bash", "-c",
             f"mount --bind {tables} /var/spool/cron/crontabs && mount --bind {root / 'run'} /run && "
             f"mount --bind {root / 'etc'} /etc/cron.d && exec cron -f"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        deadline = self.began + 60
        while not self.sleeps():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failed("cron does not start")
            time.sleep(0.002)
        self.seconds = time.monotonic() - self.began

    def sleeps(self):
        """Whether it waits for its next minute (wchan in proc(5))."""
        try:
            if pathlib.Path(f"/proc/{self.pid}/comm").read_text().strip() != "cron":
                return False
            return "nanosleep" in pathlib.Path(f"/proc/{self.pid}/wchan").read_text()
        except FileNotFoundError:
            return False

    def end(self):
        self.process.kill()
        self.process.wait()


def fill(root, count, form="json", files=1):
    config = root / "config"
    config.mkdir(mode=0o700, parents=True)
    each = count // files
    for file in range(files):
        ids = range(file * each, (file + 1) * each)
        if form == "json":
            events = ",\n".join(f'"e{n}": {{"cron": "{n % 60} {n // 60 % 24} 1 1 *"}}' for n in ids)
            (config / f"f{file}.json").write_text(f'{{"events": {{\n{events}\n}}}}\n')
        else:
            (config / f"f{file}.yaml").write_text(
                "events:\n" + "".join(f"  e{n}: {{ cron: {n % 60} {n // 60 % 24} 1 1 * }}\n" for n in ids))
    age(config)


def beside(figure, unit, values):
    """Writes a figure for each peer, with that of tminus in each of its forms beside it."""
    own = [name for name in values if name.startswith("tminus")]
    for name in own:
        for peer in values:
            if peer not in own:
                Row(f"{figure}: {name}", unit, values[name], reference=peer, reference_values=values[peer]).write()


def bench_start(binary, count=100_000):
    """From the start of the process until all entries are in force, and the memory then."""
    times, memory = {}, {}
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        fill(root / "json", count, "json", 1_000)
        fill(root / "yaml", count, "yaml", 1_000)
        (root / "reminders").write_text("".join(
            f"REM 1 Jan AT {n // 60 % 24:02}:{n % 60:02} MSG entry {n}\n" for n in range(count)))

        def note(name, seconds, pid=None):
            times.setdefault(name, []).append(seconds)
            if pid:
                memory.setdefault(name, []).append(status_megabytes(pid))

        for _ in range(runs()):
            for form in ["json", "yaml"]:
                shutil.rmtree(root / form / "state", ignore_errors=True)
                with Daemon(binary, root / form) as daemon:
                    note(f"tminus, {form.upper()}", daemon.item(f"e{count - 1}") - daemon.began, daemon.pid)
            peers = {
                "robfig/cron": lambda: Armed(BUILT / "robfig", "entries", str(count)),
                "APScheduler": lambda: Armed(
                    BUILT / "python/bin/python", PROGRAMS / "apscheduler_peer.py", "entries", str(count)),
            }
            if os.geteuid() == 0:
                peers["cron"] = lambda: Cron(pathlib.Path(tempfile.mkdtemp(dir=root)), count)
            for name, make in peers.items():
                peer = make()
                note(name, peer.seconds, peer.pid)
                peer.end()
            began = time.monotonic()
            subprocess.run(["remind", "-n", root / "reminders"], stdout=subprocess.DEVNULL, check=True)
            note("remind -n, which then ends", time.monotonic() - began)
    beside(f"start with {count:,} entries", "s", times)
    beside(f"memory with {count:,} entries", "MB", memory)


def bench_idle(binary, count=1_000):
    """Wake-ups and memory, of all programs at once: idle ones do not disturb each other."""
    seconds, windows = 120, runs()
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        root = pathlib.Path(directory)
        fill(root / "tminus", count)
        daemon = Daemon(binary, root / "tminus")
        daemon.live()
        peers = {
            "robfig/cron": Armed(BUILT / "robfig", "entries", str(count)),
            "APScheduler": Armed(BUILT / "python/bin/python", PROGRAMS / "apscheduler_peer.py", "entries", str(count)),
        }
        if os.geteuid() == 0:
            peers["cron"] = Cron(root, count)
        try:
            processes = {"tminus": daemon.pid} | {name: peer.pid for name, peer in peers.items()}
            time.sleep(20)
            counts = {name: [] for name in processes}
            resident = {name: [] for name in processes}
            for _ in range(windows):
                before = {name: voluntary_switches(pid) for name, pid in processes.items()}
                time.sleep(seconds / windows)
                for name, pid in processes.items():
                    counts[name].append(wake_ups(before[name], voluntary_switches(pid)) * 60 * windows / seconds)
                    resident[name].append(status_megabytes(pid))
            beside(f"wake-ups, idle with {count:,} entries", "1/min", counts)
            beside(f"memory, idle with {count:,} entries", "MB", resident)
        finally:
            for peer in peers.values():
                peer.end()
            daemon.__exit__()


def bench_late(binary):
    """At 1,000 a second. tminus appends a line to a file for each, the others do nothing."""
    peers = {
        "timerfd in C": [BUILT / "lateness"],
        "Go timers": [BUILT / "robfig", "late"],
        "APScheduler": [BUILT / "python/bin/python", PROGRAMS / "apscheduler_peer.py", "late"],
    }
    percentiles = {"p50": {}, "p99": {}}
    for _ in range(runs()):
        measured = Late().measure(binary)
        times = {"tminus": [measured["late, p50"] * 1_000, measured["late, p99"] * 1_000]}
        for name, words in peers.items():
            printed = subprocess.run([*words, "1000", "10"], stdout=subprocess.PIPE, check=True).stdout
            times[name] = [float(word) for word in printed.split()]
        for name, both in times.items():
            for values, value in zip(percentiles.values(), both, strict=True):
                values.setdefault(name, []).append(value)
    for percentile, values in percentiles.items():
        beside(f"lateness at 1,000 a second, {percentile}", "µs", values)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    prepare()
    if os.geteuid() != 0:
        say("peers: without cron(8), which runs only for root")
    for part in sys.argv[2:] or ["start", "idle", "late"]:
        say(f"peers: {part}")
        {"start": bench_start, "idle": bench_idle, "late": bench_late}[part](binary)


if __name__ == "__main__":
    main()
