"""What the header fields of the daemon forbid: a script that somebody put into the page, and frames around it."""

import contextlib
import http.client
import http.server
import threading

import pytest
from playwright.sync_api import expect

from reading import row

POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
    "connect-src": "'self'", "base-uri": "'none'", "form-action": "'self'", "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'", "trusted-types": "'none'",
}
FIELDS = {
    "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin", "referrer-policy": "same-origin",
}

# What somebody might get into the markup: each would say that it ran.
INJECTED = """<script>window.ran = "script"</script>
<img src="page/none.png" onerror="window.ran = 'handler'">
<a id="trap" href="javascript:window.ran = 'link'">trap</a>
<style>html { --ran: style; }</style>
<base href="http://evil.test/">"""


def ask(daemon, path):
    """The answer of the daemon to a program, and its text."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer, answer.read().decode()


@contextlib.contextmanager
def neighbour(markup):
    """Another program of this machine that serves a page; its address."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(markup.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_every_answer_forbids_what_the_page_does_not_need(shared):
    answer, text = ask(shared, "/")
    assert answer.status == 200 and "text/html" in answer.headers["content-type"]
    file = text.split('type="module" src="')[1].split('"')[0]
    paths = {"/": 200, f"/{file}": 200, "/items": 200, "/healthz": 200, "/page/nothing.js": 404, "/nothing": 404}
    for path, status in paths.items():
        answer, _ = ask(shared, path)
        assert answer.status == status, path
        told = [line.split(" ", 1) for line in answer.headers["content-security-policy"].split("; ")]
        assert dict(told) == POLICY, path
        assert {name: answer.headers[name] for name in FIELDS} == FIELDS, path
        assert not [name for name in answer.headers if name.lower().startswith("access-control")], path
    # Nothing but the files of the page, which have their version in the address, is kept.
    assert "immutable" in ask(shared, f"/{file}")[0].headers["cache-control"]
    assert "no-store" in ask(shared, "/items")[0].headers["cache-control"]


def test_a_script_in_the_markup_does_not_run(shared, visitor):
    visitor.expect("Content Security Policy", "status of 404", "script-src", "style-src", "base-uri: ", "rusted")
    page = visitor.open(shared, "healthz")

    def inject(route):
        # With the header fields of the daemon.
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</body>", f"{INJECTED}</body>"))

    page.route(shared.url, inject)
    page.goto(shared.url)
    expect(row(page, "Eggs")).to_be_visible()
    page.locator("#trap").click()
    refused = page.evaluate("window.refused")
    for directive in ("script-src-elem", "script-src-attr", "style-src-elem", "base-uri"):
        assert any(one.startswith(directive) for one in refused), refused
    style = "getComputedStyle(document.documentElement).getPropertyValue('--ran')"
    assert page.evaluate(f"[window.ran, {style}]") == [None, ""]
    # A text is no markup for the page's own scripts either.
    assert page.evaluate("""() => {
      try { document.body.innerHTML = "<b>x</b>"; } catch (error) { return error.name; }
      return "taken";
    }""") == "TypeError"


@pytest.mark.parametrize("place", ["another port", "the same port"])
def test_no_frame_has_the_page(shared, visitor, place):
    visitor.expect("frame-ancestors", "status of 403", "Content Security Policy")
    markup = f"<h1>Around</h1><iframe src='{shared.url}'></iframe>"
    with neighbour(markup) as url:
        page = visitor.open(shared, "healthz")
        if place == "the same port":
            # The request for the frame is one of the daemon's own origin, so nothing but the policy refuses the frame.
            url = shared.url + "around"
            page.route(url, lambda route: route.fulfill(body=markup, content_type="text/html"))
        with page.expect_event("framenavigated", lambda frame: frame.parent_frame is not None):
            page.goto(url)
        expect(page.get_by_role("heading", name="Around")).to_be_visible()
        (_, frame) = page.frames
        assert frame.url.startswith("chrome-error:") or "403" in frame.content(), frame.url
        assert frame.locator("main").count() == 0 and "Product launch" not in frame.content()
