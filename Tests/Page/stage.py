"""A daemon with files of a test's own, and visitors of its page."""

import json
import pathlib
import subprocess
import time

from accessibility import examine_both

LAUNCH = """\
# The launch, with a comment.
events:
  launch:
    name: Product launch
    at: 2099-12-01 09:00
    timezone: Europe/Berlin
    remind: [1 day]
"""

# Sinks that answer at once: one that works, one that works as soon as there is a file, and one that never does.
SINKS = """\
defaults: {{timezone: UTC}}
sinks:
  good: {{shell: 'echo all is well'}}
  picky:
    shell: 'echo looking; test -e {flag} || {{ echo "<img src=x onerror=alert(1)>" >&2; exit 3; }}'
    retry: {{limit: 1}}
  bad: {{shell: 'exit 7', retry: {{limit: 1}}}}
timers:
  tea: {{name: Green tea, duration: 4m, start: manual, on-expiry: [good]}}
  meal: {{duration: 1h, start: manual, on-expiry: [picky]}}
  alarm: {{duration: 1h, start: manual, on-expiry: [bad]}}
"""

# Seconds until something must hold that no event tells of.
LIMIT = 15

# Controls that are too small. A link within a sentence is exempt, as WCAG says.
SMALL = """(least) => [...document.querySelectorAll('button, .button, .chip, summary, input, select, textarea')]
    .filter((node) => node.checkVisibility({ opacityProperty: false }))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.height < least - 0.5 || box.width < least - 0.5))
    .map(([node, box]) => `${node.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""


class Stage:
    """What the tests of the forms have."""

    def __init__(self, daemons, visitor, flags):
        self.daemons, self.visitor = daemons, visitor
        self.flag = flags / "ready"

    def start(self, **files):
        """Starts the daemon on files: `events="…"` is events.yaml. Nobody may read without a token."""
        named = {f"{name}.yaml": text.format(flag=self.flag) if text is SINKS else text for name, text in files.items()}
        self.daemon = self.daemons(named, "--allow-edit", "--private")

    def page(self, query="", level="edit", **options):
        """A page in a browser of its own, signed in with a level; None for nobody."""
        options = {"locale": "en-GB", "timezone_id": "Europe/Berlin", **options}
        if level is None:
            # The browser tells of each answer from 400 up.
            self.visitor.expect("status of 401")
        return self.visitor.open(self.daemon, query, level=level, **options)

    def write(self, name, text):
        """Replaces a file of the directory as an editor does."""
        self.daemon.write(name, text)

    def read(self, name):
        """The text of a file of the directory."""
        return (pathlib.Path(self.daemon.config) / name).read_bytes().decode()

    def fire(self, *ids):
        """Sends actions as a test, and waits until their sinks have answered, whatever they answered.

        `fire --wait` would discard what is dead.
        """
        for name in ids:
            sent = [delivery["id"] for delivery in self.daemon.json("fire", name, "--no-wait")["deliveries"]]
            self.until(lambda sent=sent: all(self.attempts(one) for one in sent), f"the answers to '{name}'")

    def attempts(self, delivery):
        """The attempts at a delivery that have ended."""
        return self.daemon.json("deliveries", "--delivery", delivery)[0]["log"]

    def status(self):
        """What `tminus status` says."""
        try:
            return self.daemon.json("status")
        except subprocess.CalledProcessError as error:
            return json.loads(error.stdout)

    def item(self, name):
        """What `tminus show` says of an item; None if there is none."""
        try:
            return self.daemon.item(name)
        except subprocess.CalledProcessError:
            return None

    def added(self, name):
        """What `tminus show` says of an item, as soon as there is one."""
        self.until(lambda: self.item(name), f"'{name}'")
        return self.item(name)

    def link(self, level):
        """The fragment of the link that signs a browser in."""
        return "#" + self.daemon.run("web", "--level", level).strip().split("#")[1]

    def end_sessions(self):
        """Signs every browser out."""
        for line in self.daemon.run("web", "list").splitlines():
            self.daemon.run("web", "end", line.split()[0])

    def until(self, holds, what):
        """Waits for what no event tells of, such as the content of a file."""
        end = time.monotonic() + LIMIT
        while not holds():
            assert time.monotonic() < end, f"waited {LIMIT} s for {what}"
            # This is the one loop of the tests that use a stage.
            time.sleep(0.02)

    def check_usable(self, page):
        """Fails if axe finds anything in either theme, if a control is below 44 px, or if 320 px are too narrow."""
        examine_both(page)
        assert page.evaluate(SMALL, 44) == []
        former = page.viewport_size
        page.set_viewport_size({"width": 320, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.set_viewport_size(former)
