#!/usr/bin/env python3
"""Kills who saves a definition file (SIGKILL) at random moments: the daemon during PUT /file, and `tminus edit`.

After every kill the file must have the whole old text or the whole new one, the old one if the save was refused and the
new one if it was told to be done; what the killed writer left beside it must be gone after the next save.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import http.client
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

# Seconds in which a daemon opens its socket, and a save ends.
LIMIT = 60
# The bytes of a text: long enough that a moment within its writing can be hit.
LENGTH = 200_000


class Connection(http.client.HTTPConnection):
    """HTTP to a Unix-domain socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=LIMIT)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(LIMIT)
        self.sock.connect(str(self.path))


def text(number):
    """A valid text, alike no other."""
    return f"timers: {{ tea: {{ duration: {number + 60}s, start: manual }} }}\n" + f"# save {number}\n" * (LENGTH // 12)


class Trial:
    """A directory with one file, and those who save it."""

    def __init__(self, program, root, seed):
        # A copy, so that a build at the same time does not take the program from under the daemon.
        self.program = shutil.copy2(program, root / "tminus")
        self.root, self.config, self.state = root, root / "config", root / "state"
        self.chance, self.number = random.Random(seed), 0
        self.seen, self.problems = collections.Counter(), []
        self.config.mkdir()
        self.file = self.config / "a.yaml"
        self.file.write_text(text(0))
        self.editor = root / "editor.sh"
        self.editor.write_text(f'#!/bin/sh\ncat {root}/new >"$1"\n')
        self.editor.chmod(0o700)

    @contextlib.contextmanager
    def daemon(self):
        with open(self.root / "log", "ab") as log:
            process = subprocess.Popen(
                [self.program, "run", "--config", self.config, "--state", self.state], stdout=log, stderr=log)
        try:
            end = time.monotonic() + LIMIT
            while True:
                with contextlib.suppress(OSError, http.client.HTTPException):
                    if self.ask("GET", "/readyz").status == 200:
                        break
                if process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"save_test: the daemon is not ready:\n{(self.root / 'log').read_text()}")
                # Nobody tells of it: ask again.
                time.sleep(0.01)
            yield process
        finally:
            process.kill()
            process.wait()

    def ask(self, method, path, body=None, fields=None):
        connection = Connection(self.state / "control.sock")
        connection.request(method, path, body, fields or {})
        answer = connection.getresponse()
        answer.content = answer.read()
        return answer

    def put(self, new):
        """Saves by HTTP. Whether that was told to be done; None if nothing was told."""
        try:
            tag = self.ask("GET", "/file?path=a.yaml").headers["ETag"]
            return self.ask("PUT", "/file?path=a.yaml", new, {"If-Match": tag}).status == 200
        except (OSError, http.client.HTTPException):
            return None

    def edit(self):
        """Starts `tminus edit`, whose editor writes the text in `new`."""
        environment = os.environ | {"EDITOR": str(self.editor), "VISUAL": str(self.editor), "TMPDIR": str(self.root)}
        return subprocess.Popen(
            [self.program, "edit", "--config", self.config, "--file", "a.yaml"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)

    def hidden(self):
        return {name for name in os.listdir(self.config) if name != "a.yaml"}

    def kill_in(self, process, is_over):
        """Kills a process a moment after its file beside the other has appeared, or at any moment."""
        before = self.hidden()
        end = time.monotonic() + self.chance.choice([0.05, 0.3, LIMIT, LIMIT, LIMIT])
        while not self.hidden() - before and not is_over() and time.monotonic() < end:
            pass
        if not is_over():
            # The pause is the test: the kill hits another step of the save each time.
            time.sleep(self.chance.uniform(0, 0.004))
        process.kill()
        process.wait()

    def judge(self, who, old, new, told):
        found = self.file.read_text()
        which = "new" if found == new else "old" if found == old else "torn"
        self.seen[f"{who}: {which}"] += 1
        if which == "torn":
            self.problems.append(f"{who}: {len(found)} bytes that are neither the old nor the new text")
        if (told is True and which != "new") or (told is False and which != "old"):
            self.problems.append(f"{who}: told {told}, but the text is the {which} one")
        if left := self.hidden():
            self.seen[f"{who}: left a file"] += 1
            if len(left) > 1:
                self.problems.append(f"{who}: {sorted(left)} are left")

    def prepare(self):
        """The text that is there, and one to save."""
        self.number += 1
        return self.file.read_text(), text(self.number)

    def cycle(self):
        """Kills a daemon that saves, then `tminus edit`."""
        with self.daemon() as process, concurrent.futures.ThreadPoolExecutor(1) as pool:
            old, new = self.prepare()
            saving = pool.submit(self.put, new)
            self.kill_in(process, saving.done)
            self.judge("PUT", old, new, saving.result())
        old, new = self.prepare()
        (self.root / "new").write_text(new)
        process = self.edit()
        self.kill_in(process, lambda: process.poll() is not None)
        self.judge("edit", old, new, {0: True}.get(process.returncode))

    def run(self, cycles):
        for _ in range(cycles):
            self.cycle()
        with self.daemon():
            if self.put(self.prepare()[1]) is not True:
                self.problems.append("a save in peace was refused")
        if left := self.hidden():
            self.problems.append(f"{sorted(left)} are there after the next save")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--cycles", type=int, default=100, help="how many times each is killed (default 100)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tminus-saves-") as directory:
        trial = Trial(options.binary, pathlib.Path(directory), options.seed)
        trial.run(options.cycles)
    seen = ", ".join(f"{count} × {what}" for what, count in sorted(trial.seen.items()))
    print(f"save_test: {2 * options.cycles} kills of who saves ({seen}; seed {options.seed})")
    for problem in trial.problems:
        print(f"save_test: {problem}")
    return 1 if trial.problems else 0


if __name__ == "__main__":
    sys.exit(main())
