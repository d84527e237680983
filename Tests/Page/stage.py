"""A daemon of its own for each test of the page, and a browser before it."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import axe_playwright_python
from playwright.sync_api import expect

# Seconds that anything may take. Nothing waits for a time: each wait ends with what it waits for.
PATIENCE = 15

expect.set_options(timeout=PATIENCE * 1000)

AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()

# What axe looks for: WCAG 2.2 at levels A and AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

# The smallest side of a control, in pixels.
TARGET = 44

# Counts what the content security policy refused.
WATCH = "window.refused = []; addEventListener('securitypolicyviolation', (event) => refused.push(event.violatedDirective));"

# Controls that are too small. A link within a sentence is exempt, as WCAG says.
SMALL = """(least) => [...document.querySelectorAll('button, .button, .chip, summary, input, select, textarea')]
    .filter((node) => node.checkVisibility({ opacityProperty: false }) && !node.closest('[hidden]'))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.height < least - 0.5 || box.width < least - 0.5))
    .map(([node, box]) => `${node.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""


class Stage:
    """A config directory, a daemon that watches it, and pages that show it."""

    def __init__(self, tminus, browser):
        self.tminus_path = os.path.abspath(tminus)
        self.browser = browser
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tminus-page-"))
        self.config = self.home / "config"
        self.config.mkdir(mode=0o700)
        self.socket = self.home / "socket"
        self.daemon = None
        self.url = None
        self.pages = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                for page in self.pages:
                    self.check_clean(page)
        finally:
            for page in self.pages:
                page.context.close()
            self.stop()
            shutil.rmtree(self.home)

    # The daemon

    def write(self, name, text):
        """Writes a file of the directory as an editor does: whole, by a new name."""
        path = self.config / name
        draft = path.with_name(f".{name}.new")
        draft.write_text(text)
        draft.rename(path)

    def read(self, name):
        return (self.config / name).read_text()

    def start(self, **files):
        """Starts the daemon on files; `events="…"` is events.yaml."""
        for name, text in files.items():
            self.write(f"{name}.yaml", text)
        log = open(self.home / "log", "ab")
        self.daemon = subprocess.Popen(self.command(), stdout=log, stderr=log, cwd=self.home)
        until(lambda: self.tminus("wait", check=False).returncode == 0, "the daemon to start")
        self.open_door()
        return self

    def command(self):
        return [
            self.tminus_path, "run", "--config", self.config, "--state", self.home / "state", "--socket", self.socket,
            "--listen", "127.0.0.1:0", "--private", "--allow-edit", "--insecure-permissions",
        ]

    def open_door(self):
        """Finds out where the page is."""
        self.url = self.status()["listening"][0]

    def code(self, level):
        """A code that signs in once, with a level."""
        return self.tminus("web", "--level", level).stdout.split("#code=")[1].strip()

    def token(self, level):
        """A new token of a level."""
        state = ["--state", str(self.home / "state")]
        done = subprocess.run(
            [self.tminus_path, "token", "add", level, "--level", level, *state], capture_output=True, text=True,
            timeout=PATIENCE, check=True)
        return done.stdout.strip()

    def end_sessions(self):
        """Signs every browser out."""
        for line in self.tminus("web", "list").stdout.splitlines():
            self.tminus("web", "end", line.split()[0])

    def stop(self):
        if self.daemon is None:
            return
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait(PATIENCE * 2)
        self.daemon = None

    def tminus(self, *words, check=True):
        """Runs a command for this daemon."""
        done = subprocess.run(
            [self.tminus_path, *map(str, words), "--socket", self.socket], capture_output=True, text=True,
            timeout=PATIENCE * 2, cwd=self.home)
        if check and done.returncode != 0:
            raise AssertionError(f"tminus {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done

    def status(self):
        return json.loads(self.tminus("status", "--json", check=False).stdout)

    def item(self, id):
        done = self.tminus("show", id, "--json", check=False)
        return json.loads(done.stdout) if done.returncode == 0 else None

    # The browser

    def page(self, query="", level="edit", **options):
        """A page in a browser of its own, signed in with a level; None for nobody."""
        options = {"viewport": {"width": 1024, "height": 900}, "locale": "en-GB", "timezone_id": "Europe/Berlin", **options}
        context = self.browser.new_context(**options)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: note(page, line))
        self.pages.append(page)
        code = "" if level is None else f"#code={self.code(level)}"
        page.goto(f"{self.url}/{query}{code}")
        return page

    def check_clean(self, page):
        """Fails if a script failed, or if the policy of the page refused anything."""
        assert page.problems == [], page.problems
        refused = page.evaluate("window.refused")
        assert refused == [], refused


def note(page, line):
    # The browser tells of every answer from 400 up. Whether there may be one is for the test to say.
    if line.type == "error" and not line.text.startswith("Failed to load resource"):
        page.problems.append(line.text)


def check_accessible(page):
    """Fails if axe finds anything, in either theme, if a control is too small, or if the page scrolls sideways."""
    page.evaluate(AXE)
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = page.evaluate("(rules) => axe.run(document, { runOnly: rules })", RULES)["violations"]
        assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    small = page.evaluate(SMALL, TARGET)
    assert small == [], small
    check_narrow(page)


def check_narrow(page):
    """Fails if the page scrolls sideways in a window of 320 pixels."""
    former = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 700})
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size(former)
    assert wide <= 320, f"the page is {wide} pixels wide in a window of 320"


def until(holds, what):
    """Waits until a condition holds that no event tells of, such as the content of a file."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE} s for {what}")
        time.sleep(0.02)

