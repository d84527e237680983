#!/usr/bin/env python3
"""Kills the daemon (SIGKILL) at random moments while timers and events expire into sinks of every kind.

In between it fills the disk of the daemon, makes its store read-only and stops it for a while. Afterwards every timer
and event must have reached every sink at least once; a repeat must carry the same delivery id; no line may be torn;
the store must pass an integrity check after every kill. A full disk and a read-only one need a tmpfs, so root; without
root they are left out, with a message.
"""

import argparse
import collections
import contextlib
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from surroundings import receiver, small_disk, what

LEAD = 15  # seconds before the first event
INTERRUPTED = "the process ended during each of its last three attempts"
RETRY = "retry: { first: 200ms, max: 2s, on: any }"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--cycles", type=int, default=200, help="how many times it is killed (default 200)")
    parser.add_argument("--timers", type=int, default=200, help="how many timers, and as many events (default 200)")
    parser.add_argument("--stopped", type=float, default=60, help="the seconds of one SIGSTOP (default 60)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    enter_own_mounts()
    with tempfile.TemporaryDirectory(prefix="tminus-crash-") as directory:
        root = pathlib.Path(directory)
        with small_disk(root / "disk") as disk, receiver() as (address, posted):
            return Trial(options, root, disk, address, posted).run()


def enter_own_mounts():
    """Restarts in a mount namespace of its own if possible, so that the mounts end with this process."""
    if "TMINUS_CRASH_MOUNTS" in os.environ or os.geteuid() != 0 or not shutil.which("unshare"):
        return
    if subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.environ["TMINUS_CRASH_MOUNTS"] = "own"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])


class Trial:
    """The lives of one daemon, with all that happens to it."""

    def __init__(self, options, root, disk, address, posted):
        # A copy, so that a build at the same time does not take the program from under the daemon.
        self.binary = shutil.copy2(options.binary, root / "tminus")
        self.options, self.root, self.disk, self.posted = options, root, disk, posted
        self.chance = random.Random(options.seed)
        self.state = disk.path / "state"
        self.config = root / "config"
        self.span = max(5.0, options.cycles * 0.45)
        self.injected = collections.Counter()
        self.problems = []
        self.config.mkdir()
        hook = root / "hook.sh"
        hook.write_text('echo "$TMINUS_ID $TMINUS_ACTION $TMINUS_BEFORE $TMINUS_DELIVERY" >>"$1"\n')
        (self.config / "sinks.yaml").write_text(
            f"""sinks:
  file: {{ webhook-file: {disk.path}/payloads.ndjson, {RETRY} }}
  web: {{ webhook: "{address}", {RETRY} }}
  command: {{ shell: "set -- {root}/shell.txt; . {hook}", {RETRY}, overlap: queue, max-concurrent: 8 }}
  program: {{ exec: [/bin/sh, {hook}, {root}/exec.txt], {RETRY}, overlap: queue, max-concurrent: 8 }}
  lines: {{ stdout: , format: json, {RETRY} }}
"""
        )

    def run(self):
        # The first kill may meet the making of the store.
        self.live(0)
        self.write_definitions()
        self.load()
        for cycle in range(1, self.options.cycles):
            self.live(cycle)
            self.check_integrity()
        status = self.finish()
        return self.report(status)

    def write_definitions(self):
        everything = "[file, web, command, program, lines]"
        lines = [f"defaults: {{ timezone: UTC, on-expiry: {everything}, on-reminder: [file] }}", "timers:"]
        for n in range(self.options.timers):
            lines.append(f"  t{n}: {{ duration: {self.chance.uniform(0.5, self.span):.3f}s }}")
        lines.append("events:")
        now = datetime.datetime.now(datetime.UTC)
        for n in range(self.options.timers):
            at = now + datetime.timedelta(seconds=self.chance.uniform(LEAD, self.span + LEAD))
            lines.append(f"  e{n}: {{ at: '{at:%Y-%m-%dT%H:%M:%S}Z', remind: 3s }}")
        (self.config / "definitions.yaml").write_text("\n".join(lines) + "\n")

    def load(self):
        """Brings the definitions in force: an event whose instant has passed before never fires, and that is right."""
        with self.daemon():
            deadline = time.monotonic() + LEAD
            while self.ask("SELECT count(*) FROM schedule") != [(2 * self.options.timers,)]:
                if time.monotonic() > deadline:
                    sys.exit(f"crash-test: the definitions are not in force within {LEAD} s")
                # The rows of a store tell nobody: ask again.
                time.sleep(0.05)

    @contextlib.contextmanager
    def daemon(self):
        """A daemon that is killed at the end of the block, however the block ends."""
        with open(self.root / "stdout.ndjson", "ab") as output, open(self.root / "log.txt", "ab") as log:
            process = subprocess.Popen(
                [self.binary, "run", "--config", self.config, "--state", self.state], stdout=output, stderr=log
            )
            try:
                yield process
            finally:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()

    def live(self, cycle):
        """One life of the daemon, with or without trouble."""
        event = self.chance.random()
        if self.disk.is_ours and event < 0.05:
            self.injected["read-only"] += 1
            with self.disk.read_only(), self.daemon():
                # The daemon lives on a disk that it cannot write for as long as this.
                time.sleep(0.3)
            return
        with self.daemon() as process:
            if cycle == self.options.cycles // 2:
                self.injected["stop"] += 1
                process.send_signal(signal.SIGSTOP)
                # How long it is stopped is the test.
                time.sleep(self.options.stopped)
                process.send_signal(signal.SIGCONT)
            elif self.disk.is_ours and event < 0.3:
                # The disk gets full at a random moment.
                time.sleep(self.chance.uniform(0.05, 0.4))
                self.injected["full disk"] += 1
                with self.disk.full():
                    # How long the disk is full is the test.
                    time.sleep(self.chance.uniform(0.2, 1.0))
            elif event < 0.35:
                self.injected["stop"] += 1
                process.send_signal(signal.SIGSTOP)
                # How long it is stopped is the test.
                time.sleep(self.chance.uniform(0.1, 1.0))
                process.send_signal(signal.SIGCONT)
            # The pause is the test: it is killed at a random moment.
            time.sleep(self.chance.uniform(0.05, 0.8))

    def check_integrity(self):
        """Checks a copy: only the daemon may recover the original."""
        if not (self.state / "tminus.sqlite").exists():
            return
        copy = self.root / "copy"
        copy.mkdir(exist_ok=True)
        for suffix in ["", "-wal"]:
            (copy / f"tminus.sqlite{suffix}").unlink(missing_ok=True)
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(self.state / f"tminus.sqlite{suffix}", copy)
        (copy / "tminus.sqlite-shm").unlink(missing_ok=True)
        database = sqlite3.connect(copy / "tminus.sqlite")
        result = database.execute("PRAGMA integrity_check").fetchone()[0]
        database.close()
        if result != "ok":
            self.problems.append(f"integrity: {result}")

    def finish(self):
        """Lets the daemon deliver what is left, and stops it gracefully."""
        log = self.root / "log.txt"
        before = log.stat().st_size
        with self.daemon() as process:
            deadline = time.monotonic() + self.span + 120
            # Before its first log line it may not handle signals yet.
            while time.monotonic() < deadline and process.poll() is None and log.stat().st_size == before:
                # The size of a file tells nobody: look again.
                time.sleep(0.1)
            while time.monotonic() < deadline and process.poll() is None:
                if self.has_settled() and not self.retry_what_was_set_aside() and not any(self.missing().values()):
                    break
                # Deliveries are in the store and in files, which tell nobody: look again.
                time.sleep(0.3)
            process.terminate()
            try:
                return process.wait(timeout=35)
            except subprocess.TimeoutExpired:
                return "none within 35 s"

    def has_settled(self):
        return self.ask("SELECT count(*) FROM delivery WHERE settled IS NULL") == [(0,)]

    def retry_what_was_set_aside(self):
        """What the kills have met three times in a row is dead by the rule. Says whether there was any."""
        ids = [id for (id,) in self.ask("SELECT id FROM delivery WHERE state = 'dead' AND reason = ?", INTERRUPTED)]
        if ids:
            command = [self.binary, "deliveries", "retry", *ids, "--state", self.state]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        return bool(ids)

    def ask(self, query, *values):
        """The rows of the daemon's own store; none if it cannot be read now."""
        with contextlib.suppress(sqlite3.OperationalError):
            database = sqlite3.connect(f"file:{self.state}/tminus.sqlite?mode=ro", uri=True, timeout=5)
            with contextlib.closing(database):
                return database.execute(query, values).fetchall()
        return []

    def arrived(self, strict=False):
        """For each sink the (definition, action, lead) and id of every payload."""
        result = {"web": list(self.posted)}
        for sink, path in [("file", self.disk.path / "payloads.ndjson"), ("lines", self.root / "stdout.ndjson")]:
            result[sink] = list(self.parsed(path, strict))
        for sink, path in [("command", self.root / "shell.txt"), ("program", self.root / "exec.txt")]:
            rows = [line.split(" ") for line in path.read_text().splitlines()] if path.exists() else []
            if strict and any(len(row) != 4 for row in rows):
                self.problems.append(f"a torn line in {path.name}")
            result[sink] = [((row[0], row[1], row[2]), row[3]) for row in rows if len(row) == 4]
        return result

    def parsed(self, path, strict):
        if not path.exists():
            return
        for line in path.read_bytes().split(b"\n"):
            if not line:
                continue
            try:
                yield what(json.loads(line))
            except ValueError:
                if strict:
                    self.problems.append(f"a torn line in {path.name}: {line[:80]!r}")

    def missing(self):
        wanted = {f"{kind}{n}" for kind in "te" for n in range(self.options.timers)}
        return {
            sink: wanted - {key[0] for key, _ in rows if key[1] == "expiry"} for sink, rows in self.arrived().items()
        }

    def report(self, status):
        lines = repeats = 0
        for sink, rows in self.arrived(strict=True).items():
            ids = collections.defaultdict(set)
            for key, delivery in rows:
                ids[key].add(delivery)
            lines += len(rows)
            repeats += len(rows) - len(ids)
            doubled = [key for key, seen in ids.items() if len(seen) > 1]
            if doubled:
                self.problems.append(f"{sink}: with another id: {doubled[:5]}")
        for sink, names in self.missing().items():
            if names:
                self.problems.append(f"{sink}: {len(names)} missing, such as {sorted(names)[:5]}")
        database = sqlite3.connect(self.state / "tminus.sqlite")
        for sink, reason in database.execute(
            "SELECT d.sink, d.reason FROM delivery d JOIN firing f ON f.id = d.firing "
            "WHERE d.state NOT IN ('delivered', 'expired') OR (d.state = 'expired' AND f.kind = 'expiry') LIMIT 5"
        ):
            self.problems.append(f"{sink}: not delivered: {reason}")
        database.close()
        if status != 0:
            self.problems.append(f"the last exit status is {status}")
        trouble = ", ".join(f"{count} × {name}" for name, count in sorted(self.injected.items())) or "no other trouble"
        print(
            f"crash-test: {self.options.cycles} kills ({trouble}), {2 * self.options.timers} definitions, 5 sinks, "
            f"{lines} payloads, {repeats} of them repeated with the same id (seed {self.options.seed})"
        )
        for problem in self.problems:
            print(f"crash-test: {problem}")
        if self.problems:
            kept = pathlib.Path(tempfile.gettempdir()) / f"tminus-crash-{self.options.seed}.log"
            shutil.copy(self.root / "log.txt", kept)
            print(f"crash-test: the daemon's log is kept in {kept}")
        return 1 if self.problems else 0


if __name__ == "__main__":
    sys.exit(main())
