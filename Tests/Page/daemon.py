"""A daemon of the program under test, with directories of its own, and its page."""

import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from proxy import Proxy

PROGRAM = os.environ.get("TMINUS", "")
# A comment in a file of the page, and what it is in the next program.
COMMENT = (b"gone after an update", b"gone after AN update")
# Seconds in which a daemon opens its port, and ends.
LIMIT = 60

CONFIG = """\
events:
  launch:
    name: Product launch
    at: 2099-12-01 09:00
    timezone: Europe/Berlin
    description: Version 2 goes public.
    remind: [1 week, 1 day, 1 hour]
    labels: {team: web, room: lobby}
  stand-up: {name: Daily stand-up, cron: "30 9 * * *", timezone: UTC, remind: 5 minutes, labels: {team: web}}
timers:
  tea: {name: Green tea, duration: 50m, start: auto, remind: 5 minutes, labels: {room: kitchen}}
  eggs: {name: Eggs, duration: 6m, start: manual}
stopwatches:
  run: {name: Workout, start: auto}
"""


class Daemon:
    """A running daemon on a text, or on the texts of several files by name, and with an example behind that proxy.

    `url` is the address of its page.
    """

    def __init__(self, config=CONFIG, *options, example=None):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tminus-page-"))
        self.config, self.state = self.root / "config", self.root / "state"
        self.config.mkdir()
        for name, text in ({"all.yaml": config} if isinstance(config, str) else config).items():
            self.write(name, text)
        self.options, self.port, self.process = options, 0, None
        self.numbers = itertools.count(1)
        self.program = PROGRAM
        self.proxy = Proxy(example, self.root) if example else None
        self.start()

    def write(self, name, text):
        """Replaces a definition file as an editor does."""
        (self.config / f".{name}.new").write_text(text)
        (self.config / f".{name}.new").rename(self.config / name)

    def start(self):
        """Starts it, after a stop at the same port."""
        door = self.proxy.options if self.proxy else ["--listen", f"127.0.0.1:{self.port}"]
        place = ["--config", self.config, "--state", self.state, *door]
        with open(self.root / "log", "ab") as log:
            seen = log.tell()
            self.process = subprocess.Popen([self.program, "run", *place, *self.options], stdout=log, stderr=log)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.process.poll() is None:
            text = (self.root / "log").read_bytes()[seen:].decode()
            found = re.search(r"HTTP open address=(?:unix:|127\.0\.0\.1:(\d+))", text)
            if found and "definitions in force" in text:
                self.port = int(found.group(1) or 0)
                scheme = "https" if "--tls-cert" in self.options else "http"
                self.url = self.proxy.url if self.proxy else f"{scheme}://127.0.0.1:{self.port}/"
                if self.proxy:
                    self.proxy.start()
                return self
            # Its log tells nobody: look again.
            time.sleep(0.02)
        raise AssertionError(f"the daemon did not open its port:\n{self.log()}")

    def stop(self, how=signal.SIGTERM):
        """Ends it by a signal and waits for that."""
        self.process.send_signal(how)
        self.process.wait(LIMIT)

    def update(self):
        """Starts the program of a next version in its place."""
        content = pathlib.Path(PROGRAM).read_bytes()
        version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True).stdout.strip()
        newer = version[:-1] + (b"8" if version.endswith(b"9") else b"9")
        for old, new in [(version, newer), COMMENT]:
            assert old in content, f"the program does not contain {old}"
            content = content.replace(old, new)
        self.program = self.root / "tminus"
        self.program.write_bytes(content)
        self.program.chmod(0o755)
        self.stop()
        self.start()

    def remove(self):
        """Ends it and its proxy, and removes its directories."""
        if self.proxy:
            self.proxy.stop()
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        shutil.rmtree(self.root)

    def run(self, *arguments):
        """The standard output of a command of the same program."""
        # Bounded: a command that hangs is a failure.
        return subprocess.run(
            [self.program, *arguments, "--state", self.state], check=True, capture_output=True, text=True, timeout=LIMIT
        ).stdout

    def json(self, *arguments):
        """The JSON of a command."""
        return json.loads(self.run(*arguments, "--json"))

    def log(self):
        """What it has printed until now. A line may come after the answer to what caused it."""
        return (self.root / "log").read_text()

    def logged(self, text, count=1):
        """Waits until so many lines of the log have a text, and returns them."""
        end = time.monotonic() + LIMIT
        while len(lines := [line for line in self.log().splitlines() if text in line]) < count:
            assert time.monotonic() < end, f"{len(lines)} lines with {text!r} instead of {count}:\n{self.log()}"
            # Its log tells nobody: look again.
            time.sleep(0.02)
        return lines

    def item(self, name):
        """What `tminus show` says of an item."""
        return self.json("show", name)

    def token(self, level, name=None):
        """A token of a level, by a name of its own."""
        name = name or f"tester-{next(self.numbers)}"
        return self.run("token", "add", name, "--level", level).strip()
