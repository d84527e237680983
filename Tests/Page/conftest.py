"""What every test of the page has: a daemon, a browser, and no tolerance for what a browser complains of."""

import contextlib
import os

import pytest
from playwright.sync_api import expect, sync_playwright

from daemon import CONFIG, Daemon
from proxy import EXAMPLES, HOST
from stage import Stage

expect.set_options(timeout=15_000)

# Notes what the content security policy refuses; the console says it too, but not always at once.
WATCH = """addEventListener("securitypolicyviolation", (event) => {
  (window.refused ??= []).push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`);
});"""


SIGN_IN = """(token) => fetch("login", {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }),
}).then(({ status }) => status)"""

# Where the name is that the examples have.
RESOLVE = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"

# The tests of nothing but proxies, and of what needs no browser.
BESIDE = ["test_certificates.py", "test_proxies.py"]


def pytest_addoption(parser):
    parser.addoption("--proxies", action="store_true", help="run what is marked `proxies`, behind each proxy")


def pytest_configure(config):
    config.addinivalue_line("markers", "proxies: also runs behind each proxy of Examples/proxies")


def pytest_ignore_collect(collection_path, config):
    return True if collection_path.name in BESIDE and not config.getoption("proxies") else None


def pytest_collection_modifyitems(config, items):
    if config.getoption("proxies"):
        others = [item for item in items if not item.get_closest_marker("proxies")]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item.get_closest_marker("proxies")]


def pytest_generate_tests(metafunc):
    if "example" in metafunc.fixturenames and metafunc.config.getoption("proxies"):
        names = [path.stem for path in EXAMPLES]
        metafunc.parametrize("example", EXAMPLES, ids=names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def example(request):
    """The proxy before the daemons; None for none."""
    return getattr(request, "param", None)


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests."""
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")
        # As root, as in CI, Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", RESOLVE])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared(example):
    """A daemon for the tests that change nothing."""
    daemon = Daemon(example=example)
    yield daemon
    daemon.remove()


@pytest.fixture
def daemons(example):
    """Starts daemons for one test: `daemons(config, *options)`."""
    with contextlib.ExitStack() as stack:

        def start(*arguments):
            daemon = Daemon(*arguments, example=example)
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

    def open(self, daemon, path="", level="here", context=None, script=None, **options):
        """Opens a page of a daemon, signed in at a level, or not: on this machine one may read even so."""
        if context is None:
            # Nobody vouches for the certificates of the tests.
            usual = {"viewport": {"width": 1280, "height": 900}, "ignore_https_errors": True}
            context = self.browser.new_context(**{**usual, **options})
            context.add_init_script(WATCH)
            if script:
                context.add_init_script(script)
            self.contexts.append(context)
            if level == "here":
                # Behind a proxy nobody is on this machine.
                level = "read" if daemon.proxy else None
            if level:
                self.sign_in(context, daemon, level)
        page = context.new_page()
        page.on("console", lambda said: self.complain(f"{said.text} {said.location.get('url')}", said.type))
        page.on("pageerror", lambda error: self.complain(f"error: {error.stack or error}", "error"))
        page.goto(daemon.url + path)
        return page

    def sign_in(self, context, daemon, level):
        """Signs a browser in, from a page that needs no rights."""
        page = context.new_page()
        page.goto(daemon.url + "healthz")
        status = page.evaluate(SIGN_IN, daemon.token(level))
        assert status == 200, status
        page.close()

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


@pytest.fixture
def stage(daemons, visitor, tmp_path):
    """A daemon with files of the test's own, and visitors of its page."""
    return Stage(daemons, visitor, tmp_path)
