"""What proxies must not change: who comes in, from where, what is kept by a browser, and when a change arrives."""

import pathlib
import urllib.parse

import pytest
from playwright.sync_api import expect

from daemon import CONFIG
from proxy import EXAMPLES, HOST
from stage import LAUNCH

pytestmark = pytest.mark.proxies

ARTICLE = pathlib.Path(__file__).parents[2] / "Sources/TminusCore/TminusCore.docc/Access.md"
# The daemon sends something every 15 s. What takes longer than this was held back until then.
AT_ONCE = 5


def test_a_change_arrives_at_once(daemon):
    with daemon.proxy.connect() as connection:
        connection.timeout = AT_ONCE
        bearer = {"Authorization": f"Bearer {daemon.token('control')}"}
        connection.request("GET", f"{daemon.proxy.path}/events?clock", headers=bearer)
        stream = connection.getresponse()
        assert stream.status == 200 and stream.headers["Content-Type"] == "text/event-stream"

        def wait(part):
            while part not in (line := stream.readline()):
                assert line, f"the stream ended before {part}"

        wait(b"event: hello")
        # The snapshot is there, all of it.
        wait(b'"run"')
        for command, state in [("pause", b'"paused"'), ("start", b'"running"'), ("pause", b'"paused"')]:
            daemon.run(command, "tea")
            wait(state)


def test_the_cookie_is_for_the_path_and_for_secure_connections_alone(stage):
    stage.start(launch=LAUNCH)
    page = stage.page(level=None)
    page.get_by_label("Token").fill(stage.daemon.token("read"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Product launch")).to_be_visible()
    (cookie,) = page.context.cookies()
    path = stage.daemon.proxy.path
    assert cookie["name"] == ("__Secure-tminus" if path else "__Host-tminus")
    assert cookie["path"] == (path or "/") and cookie["domain"] == HOST
    assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    assert page.evaluate("document.cookie") == ""
    if path:
        assert not page.context.cookies(f"https://{HOST}/tools/")
    assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"


def test_nobody_behind_a_proxy_is_on_this_machine(daemon):
    assert daemon.proxy.ask("healthz").status == 200
    for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded"):
        answer = daemon.proxy.ask("items", headers={name: "127.0.0.1" if name != "Forwarded" else "for=127.0.0.1"})
        assert answer.status == 401, answer.text


def test_a_client_is_not_believed_when_it_says_where_it_is_or_whom_it_asks(daemon):
    own = {"Origin": daemon.url.removesuffix(daemon.proxy.path + "/"), "Content-Type": "application/json"}
    lies = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}
    answer = daemon.proxy.ask("login", "POST", {**own, **lies}, f'{{"token": "{daemon.token("read")}"}}')
    assert answer.status == 200, answer.text
    assert "; Secure" in answer.headers["Set-Cookie"]
    sessions = daemon.run("web", "list")
    assert "127.0.0.2" in sessions and "203.0.113.9" not in sessions, sessions
    # Caddy does not know the name and answers nothing.
    answer = daemon.proxy.ask("healthz", headers={"Host": "evil.example", "X-Forwarded-Host": HOST})
    assert answer.status == 421 or not answer.text, answer.text


def test_the_path_without_its_slash_leads_to_the_page(daemon):
    if not daemon.proxy.path:
        pytest.skip("it has no path")
    with daemon.proxy.connect() as connection:
        connection.request("GET", daemon.proxy.path)
        answer = connection.getresponse()
        assert answer.status in (301, 308)
        assert urllib.parse.urljoin(daemon.url.rstrip("/"), answer.headers["Location"]) == daemon.url


def test_a_file_of_the_largest_size_passes(daemon):
    text = (CONFIG + "#").ljust(1 << 20, "x")
    bearer = {"Authorization": f"Bearer {daemon.token('edit')}"}
    tag = daemon.proxy.ask("file?path=all.yaml", headers=bearer).headers["ETag"]
    answer = daemon.proxy.ask("file?path=all.yaml", "PUT", {**bearer, "If-Match": tag}, text)
    assert answer.status == 200, answer.text
    assert (daemon.config / "all.yaml").read_text() == text


def test_more_than_six_tabs_are_live(daemon, visitor):
    first = visitor.open(daemon)
    tabs = [first] + [visitor.open(daemon, context=first.context) for _ in range(6)]
    daemon.run("pause", "tea")
    for tab in tabs:
        expect(tab.locator(".item").filter(has_text="Green tea")).to_contain_text("paused")


def test_the_article_shows_texts_that_are_tried():
    def plain(text):
        return " ".join(text.split())

    texts = [plain(path.read_text()) for path in EXAMPLES]
    # The first line of a block names its language.
    blocks = [block.partition("\n")[2] for block in ARTICLE.read_text().split("```")[1::2]]
    shown = [plain(block) for block in blocks if "proxy" in block]
    assert len(shown) == 2
    for block in shown:
        assert any(block in text for text in texts), block
