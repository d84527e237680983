"""What every test of the page has: a daemon, a browser, and no tolerance for what a browser complains of."""

import contextlib
import os
import pathlib

import axe_playwright_python
import pytest
from playwright.sync_api import expect, sync_playwright

from daemon import CONFIG, Daemon
from stage import Stage

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
expect.set_options(timeout=15_000)

# Notes what the content security policy refuses; the console says it too, but not always at once.
WATCH = """addEventListener("securitypolicyviolation", (event) => {
  (window.refused ??= []).push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`);
});"""


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests."""
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")
        # As root, as in CI, Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared():
    """A daemon for the tests that change nothing."""
    daemon = Daemon()
    yield daemon
    daemon.remove()


@pytest.fixture
def daemons():
    """Starts daemons for one test: `daemons(config, *options)`."""
    with contextlib.ExitStack() as stack:

        def start(*arguments):
            daemon = Daemon(*arguments)
            stack.callback(daemon.remove)
            return daemon

        yield start


@pytest.fixture
def daemon(daemons):
    """A daemon for one test alone, which may do everything over TCP."""
    return daemons(CONFIG, "--allow-edit")


class Visitor:
    """Somebody with a browser. Whatever it complains of fails the test at its end, unless it is expected."""

    def __init__(self, browser):
        self.browser, self.contexts, self.complaints, self.expected = browser, [], [], []

    def open(self, daemon, path="", level=None, context=None, script=None, **options):
        """Opens a page of a daemon, signed in at a level, or not."""
        if context is None:
            context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
            context.add_init_script(WATCH)
            if script:
                context.add_init_script(script)
            self.contexts.append(context)
            if level:
                secret = daemon.token(level)
                answer = context.request.post(
                    daemon.url + "login", data={"token": secret}, headers={"Origin": daemon.url.rstrip("/")}
                )
                assert answer.ok, answer.text()
        page = context.new_page()
        page.on("console", lambda said: self.complain(f"{said.text} {said.location.get('url')}", said.type))
        page.on("pageerror", lambda error: self.complain(f"error: {error.stack or error}", "error"))
        page.goto(daemon.url + path)
        return page

    def complain(self, words, kind):
        if kind in ("error", "warning"):
            self.complaints.append(words)

    def expect(self, *parts):
        """Complaints with one of these parts are what the test is about."""
        self.expected += parts

    def end(self):
        for context in self.contexts:
            for page in context.pages:
                self.complaints += page.evaluate("window.refused ?? []")
            context.close()
        return [words for words in self.complaints if not any(part in words for part in self.expected)]


@pytest.fixture
def visitor(browser):
    """Somebody with a browser."""
    visitor = Visitor(browser)
    yield visitor
    complaints = visitor.end()
    assert not complaints, "\n".join(complaints)


def examine(page):
    """What axe has to say of a page, by the rules of WCAG 2.2 AA and the usual advice."""
    page.evaluate(AXE)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("(tags) => axe.run({ runOnly: tags })", tags)["violations"]
    return [f"{rule['id']}: {rule['help']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


@pytest.fixture
def axe():
    """Examines a page."""
    return examine


@pytest.fixture
def stage(daemons, visitor, axe, tmp_path):
    """A daemon with files of the test's own, and visitors of its page."""
    return Stage(daemons, visitor, axe, tmp_path)
