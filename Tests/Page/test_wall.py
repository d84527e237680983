"""The wall display."""

import contextlib
import os
import re
import signal
import socket

import pytest
from playwright.sync_api import expect

from daemon import CONFIG
from proxy import HOST
from reading import AT_ONCE, CHANGES, LOST, STREAMS, drift, instant

# How often the daemon ends and begins again. RESTARTS=100 is for a long run.
RESTARTS = int(os.environ.get("RESTARTS") or 10)

# Notes what is written on a canvas, when and where, and resolves to that after so many texts.
WRITTEN = """{
  const { prototype } = CanvasRenderingContext2D;
  const { fillText } = prototype;
  const all = [];
  prototype.fillText = function (words, x, y) {
    all.push([Date.now(), words, x, y]);
    if (all.length === window.awaited) window.told(all);
    return fillText.call(this, words, x, y);
  };
  window.written = (count) => new Promise((told) => Object.assign(window, { awaited: all.length + count, told }));
}"""

# The parts of the wall that lie upon each other.
APART = """() => {
  const names = ["#toast", ".wall .news", ".wall .name", ".wall .clock", ".wall .state:not(:empty)", ".wall .ring"];
  const parts = [...document.querySelectorAll(names)].filter((node) => node.checkVisibility());
  const boxes = parts.map((node) => node.getBoundingClientRect());
  const isOver = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return parts.flatMap((node, at) => node.matches("#toast, .news")
    ? parts.filter((_, to) => to !== at && isOver(boxes[at], boxes[to])).map(({ className }) => className) : []);
}"""

FITS = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"


def test_one_item_fills_the_screen(shared, visitor):
    for width, height in [(320, 568), (1280, 720), (3840, 2160)]:
        page = visitor.open(shared, "?wall&id=tea", viewport={"width": width, "height": height})
        expect(page.locator(".single .name")).to_have_text("Green tea")
        digits = page.locator(".single .clock")
        expect(digits).to_have_text(re.compile(r"^00:\d\d:\d\d$"))
        box = digits.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["width"] > width * 0.3
        assert page.evaluate(FITS)
        assert page.locator("header").is_hidden()
    changes = digits.evaluate(CHANGES)
    assert drift(changes, instant(shared.item("tea")["due"])) < 0.1, changes


def test_face_rings_theme_and_labels_are_in_the_address(shared, visitor):
    page = visitor.open(shared, "?wall&id=tea&face=analogue&theme=light", color_scheme="dark")
    expect(page.locator(".single .dial")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.goto(shared.url + "?wall&id=tea&rings=total")
    expect(page.locator(".single .arc")).to_have_count(1)
    page.goto(shared.url + "?wall&label=team:web")
    expect(page.locator(".tile .name")).to_have_text(["Daily stand-up", "Product launch"])
    page.goto(shared.url + "?wall")
    # All that count: the eggs are not started.
    expect(page.locator(".tile")).to_have_count(4)


def test_the_controls_of_one_item_are_there_if_the_address_says_so(daemon, visitor):
    page = visitor.open(daemon, "?wall&id=tea&controls", level="control")
    page.get_by_role("button", name=re.compile("^Pause")).click()
    expect(page.locator(".single .state")).to_have_text("paused")
    page.goto(daemon.url + "?wall&id=tea")
    expect(page.locator(".single .state")).to_have_text("paused")
    assert page.locator(".wall .controls button").count() == 0


@pytest.mark.proxies
def test_a_ring_follows_what_is_done_to_its_item(daemon, visitor):
    page = visitor.open(daemon, "?wall&label=room")
    tile = page.locator(".tile").filter(has_text="Green tea")
    share = "(arc) => parseFloat(arc.getAttribute('stroke-dasharray')) / (2 * Math.PI * arc.getAttribute('r'))"
    expect(tile.locator(".arc")).to_have_attribute("stroke-dasharray", re.compile(r"^\d"))
    assert tile.locator(".arc").evaluate(share) > 0.9
    before = tile.locator(".arc").get_attribute("stroke-dasharray")
    daemon.run("start", "tea", "--add", "50m")
    expect(tile.locator(".clock")).to_have_text(re.compile(r"^1:\d\d:\d\d$"))
    expect(tile.locator(".arc")).not_to_have_attribute("stroke-dasharray", before)
    daemon.run("pause", "tea")
    expect(tile.locator(".state")).to_have_text("paused")


def test_what_is_bad_of_an_item_has_the_same_colour_alone_and_among_others(daemon, visitor):
    visitor.expect(*LOST)
    daemon.write("more.yaml", """\
sinks: {bad: {shell: exit 7, retry: {limit: 1}}}
timers: {short: {name: Short, duration: 12s, start: manual, on-expiry: [bad]}}
""")
    one = visitor.open(daemon, "?wall&id=short")
    several = visitor.open(daemon, "?wall&id=short&id=tea", context=one.context)
    states = [one.locator(".single .state"), several.locator(".tile .state").first]
    daemon.run("fire", "short", "--no-wait")
    for state in states:
        expect(state).to_have_text("idle, failing")
        expect(state).to_have_css("color", bad(state))
    daemon.run("deliveries", "discard", "--sink", "bad")
    for state in states:
        expect(state).to_have_text("idle")
    daemon.run("start", "short")
    for state in states:
        expect(state).to_be_empty()
    daemon.stop(signal.SIGKILL)
    for state in states:
        expect(state).to_have_text("due, not confirmed")
        expect(state).to_have_css("color", bad(state))


def test_a_lost_expiry_and_broken_files_are_on_the_wall(daemon, visitor):
    daemon.write("more.yaml", """\
sinks: {bad: {shell: exit 7, retry: {limit: 1}}}
timers:
  lost: {name: Lost, duration: 1s, start: auto, on-expiry: [bad]}
  well: {name: Well, duration: 1s, start: auto}
  tea: {name: Other tea, duration: 50m, start: auto}
""")
    page = visitor.open(daemon, "?wall", level="control", viewport={"width": 800, "height": 600})
    lost = page.locator(".tile").filter(has_text="Lost")
    expect(lost.locator(".state")).to_have_text("expired, failing")
    expect(page.locator(".tile").filter(has_text="Well")).to_have_count(0)
    # Two files have a definition of the same id, which is one problem.
    expect(page.locator(".wall .news")).to_have_text("1 problem in files, see the status")
    assert page.evaluate(FITS) and page.evaluate(APART) == []
    # What the address chooses is shown, and nothing else.
    page.goto(daemon.url + "?wall&label=team:web")
    expect(page.locator(".tile .name")).to_have_text(["Daily stand-up", "Product launch"])
    page.goto(daemon.url + "?wall")
    expect(lost).to_have_count(1)
    daemon.run("deliveries", "discard", "--sink", "bad")
    expect(lost).to_have_count(0)
    (daemon.config / "more.yaml").unlink()
    expect(page.locator(".wall .news")).to_be_hidden()


def test_what_is_said_on_the_wall_covers_nothing_and_is_read_from_afar(daemon, visitor):
    visitor.expect(*LOST)
    daemon.write("more.yaml", f"timers:\n  long: {{name: {'Long name ' * 20}, duration: 9h, start: auto}}\n")
    pages = []
    for width, height in [(320, 568), (390, 844), (1280, 720), (3840, 2160)]:
        for query in ("?wall", "?wall&id=long"):
            page = visitor.open(daemon, query, viewport={"width": width, "height": height})
            expect(page.locator(".wall .clock").first).to_have_text(re.compile(":"))
            expect(page.locator("#toast")).to_have_text("this browser does not keep the screen on")
            assert page.locator("#toast").is_visible() and page.evaluate(APART) == [], page.url
            pages.append((page, width, height))
    daemon.stop()
    for page, width, height in pages:
        expect(page.locator(".wall .news")).to_have_text(re.compile("^since .* without news, counting on$"))
        assert page.evaluate(FITS) and page.evaluate(APART) == [], page.url
        size = page.locator(".wall .news").evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")
        assert size >= max(16, min(width * (0.04 if width > height else 0.06), height * 0.06) - 0.1), page.url


def test_a_long_name_alone_on_the_wall_ends_in_an_ellipsis(daemon, visitor):
    daemon.write("more.yaml", f"timers:\n  long: {{name: {'Long name ' * 20}, duration: 9h, start: auto}}\n")
    for width, height in [(390, 844), (1280, 720)]:
        page = visitor.open(daemon, "?wall&id=long", viewport={"width": width, "height": height})
        name = page.locator(".single .name")
        expect(name).to_contain_text("Long name")
        assert name.evaluate("(node) => node.scrollHeight > node.clientHeight")
        expect(name).to_have_css("-webkit-line-clamp", "2")


def bad(node):
    """The colour of what is bad, as a browser tells it."""
    return node.evaluate("""(node) => {
      const other = document.createElement("p");
      other.style.color = "var(--bad)";
      node.after(other);
      const { color } = getComputedStyle(other);
      other.remove();
      return color;
    }""")


def test_many_items_fit_without_scrolling_on_one_canvas(daemons, visitor):
    timers = "".join(f"  n{number}: {{name: Number {number}, duration: 9h, start: auto}}\n" for number in range(200))
    daemon = daemons("timers:\n" + timers)
    page = visitor.open(daemon, "?wall", viewport={"width": 3840, "height": 2160}, script=WRITTEN)
    # Who hears the page is told by labels. They come with the first drawing.
    expect(page.locator(".tile .clock").first).to_have_attribute("aria-label", re.compile("^8 hours 59 minutes"))
    expect(page.locator("canvas")).to_have_count(1)
    count = page.locator(".tile").count()
    assert count > 150 and page.locator(".tile svg").count() == 0 and page.evaluate(FITS)
    # Rings are drawn: the left part of a tile has two colours at least.
    assert page.locator("canvas").evaluate("""(canvas) => {
      const { width, height } = document.querySelector(".tile .ring").getBoundingClientRect();
      const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
      return new Set(new Uint32Array(data.buffer)).size > 2;
    }""")
    # The elements lie beneath, where they cost nothing to draw.
    assert page.locator(".tile .name").first.evaluate("""(name) => {
      const { left, top } = name.getBoundingClientRect();
      return document.elementFromPoint(left + 2, top + 2).localName;
    }""") == "canvas"
    # Of the digits only those that differ are written. They are right, if a little late on a busy machine.
    written = page.evaluate("written(1_000)")
    assert written[-1][0] - written[-1_000][0] > 3_000
    changes = written_digits(written, "Number 0", "Number 1")[-3:]
    assert len(changes) == 3 and drift(changes, instant(daemon.item("n0")["due"])) < 0.5, changes
    small = visitor.open(daemon, "?wall", viewport={"width": 800, "height": 600})
    expect(small.locator(".pages")).to_have_text(re.compile(r"^1 of \d+$"))
    assert small.locator(".tile svg").count() > 0 and small.evaluate(FITS)


def written_digits(written, name, following):
    """The digits of the tile of a name, each time that one of them has changed. `following` is the next tile."""
    [(left, above)] = {(x, y) for _, words, x, y in written if words == name}
    [right] = {x for _, words, x, _ in written if words == following}
    signs = [sign for sign in written if len(sign[1]) == 1 and left <= sign[2] < right and sign[3] > above]
    line = min(y for *_, y in signs)
    changes, shown = [], {}
    for stamp, sign, x, y in signs:
        if y != line:
            continue
        shown[x] = sign
        changes = [change for change in changes if change[0] < stamp - 100]
        changes.append((stamp, "".join(shown[x] for x in sorted(shown))))
    return changes


def test_pages_turn_if_not_everything_fits(daemons, visitor):
    timers = "".join(f"  n{number}: {{name: Number {number}, duration: 10h, start: auto}}\n" for number in range(60))
    page = visitor.open(daemons("timers:\n" + timers), "?wall", viewport={"width": 800, "height": 600})
    expect(page.locator(".pages")).to_have_text(re.compile("^1 of"))
    expect(page.locator(".pages")).to_have_text(re.compile("^2 of"), timeout=20_000)


def test_it_survives_the_end_of_the_daemon_and_a_removed_item(daemon, visitor):
    visitor.expect(*LOST)
    page = visitor.open(daemon, "?wall&id=tea")
    expect(page.locator(".single .clock")).to_have_text(re.compile(r"^00:\d\d:\d\d$"))
    for how in (signal.SIGKILL, signal.SIGTERM):
        daemon.stop(how)
        expect(page.locator(".wall .news")).to_have_text(re.compile("^since .* without news, counting on$"))
        page.locator(".single .clock").evaluate(CHANGES)
        daemon.start()
        expect(page.locator(".wall .news")).to_be_hidden(timeout=40_000)
    daemon.write("all.yaml", "")
    expect(page.locator(".single .state")).to_have_text("not there any more; waiting for it to come back")
    daemon.write("all.yaml", CONFIG)
    expect(page.locator(".single .name")).to_have_text("Green tea")
    expect(page.locator(".single .clock")).to_have_text(re.compile(r"^00:\d\d:\d\d$"))


def test_tiles_that_were_all_gone_come_back(daemon, visitor):
    page = visitor.open(daemon, "?wall")
    expect(page.locator(".tile")).to_have_count(4)
    daemon.write("all.yaml", "")
    expect(page.locator(".nothing")).to_have_text("Nothing is counting.")
    daemon.write("all.yaml", CONFIG)
    expect(page.locator(".tile")).to_have_count(4)


def test_it_survives_many_restarts_of_the_daemon_in_a_row(daemon, visitor):
    visitor.expect(*LOST)
    page = visitor.open(daemon, "?wall", script=STREAMS + AT_ONCE)
    expect(page.locator(".tile")).to_have_count(4)
    page.evaluate("window.first = true")
    for number in range(RESTARTS):
        daemon.stop(signal.SIGKILL if number % 2 == 0 else signal.SIGTERM)
        expect(page.locator(".wall .news")).to_be_visible()
        daemon.start()
        expect(page.locator(".wall .news")).to_be_hidden(timeout=40_000)
    # It is the same page, which holds one stream and as many tiles as before, and it is right.
    assert page.evaluate("window.first && openStreams()") == 1
    expect(page.locator(".tile")).to_have_count(4)
    page.goto(daemon.url + "?wall&id=tea")
    changes = page.locator(".single .clock").evaluate(CHANGES)
    assert drift(changes, instant(daemon.item("tea")["due"])) < 0.1, changes


def test_it_loads_anew_by_itself_after_an_update(daemon, visitor):
    page = visitor.open(daemon, "?wall&id=tea", script=STREAMS + AT_ONCE)
    expect(page.locator(".single .clock")).to_have_text(re.compile(r"^00:\d\d:\d\d$"))
    with page.expect_navigation():
        page.evaluate("hello('99.0')")
    expect(page.locator(".single .clock")).to_have_text(re.compile(r"^00:\d\d:\d\d$"))


def test_it_counts_on_when_its_token_is_taken_away_until_somebody_signs_in(daemons, visitor):
    visitor.expect(*LOST, "status of 401")
    daemon = daemons(CONFIG, "--private")
    page = visitor.open(daemon, "?wall&id=tea", level="read")
    digits = page.locator(".single .clock")
    expect(digits).to_have_text(re.compile(r"^00:\d\d:\d\d$"))
    daemon.run("token", "remove", "tester-1")
    # The daemon looks at the tokens of those who follow when it looks at its files, at the latest after a minute.
    daemon.write("more.yaml", "")
    expect(page.locator(".wall .news")).to_have_text("signed out, counting on")
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    changes = digits.evaluate(CHANGES)
    assert drift(changes, instant(daemon.item("tea")["due"])) < 0.1, changes
    page.get_by_label("Token").fill(daemon.token("read"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".wall .news")).to_be_hidden()


def beyond_loopback():
    """An address of this machine that is not loopback, or the name that the browser is told; a packet is not sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))
        if not (address := one.getsockname()[0]).startswith("127."):
            return address, address
    return "127.0.0.1", HOST


def test_it_works_over_plain_http_and_says_once_that_the_screen_may_go_dark(daemons, visitor):
    visitor.expect("Cross-Origin-Opener-Policy header has been ignored")
    address, name = beyond_loopback()
    daemon = daemons(CONFIG, "--host", HOST, "--listen", f"{address}:0")
    *_, opened = daemon.logged(f"HTTP open address={address}:")
    daemon.url = f"http://{name}:{opened.rpartition(':')[2]}/"
    page = visitor.open(daemon, "?wall&id=tea", level="read")
    assert page.evaluate("[isSecureContext, navigator.wakeLock, navigator.locks]") == [False, None, None]
    told = "over plain HTTP the screen may go dark"
    expect(page.locator("#toast")).to_have_text(told)
    changes = page.locator(".single .clock").evaluate(CHANGES)
    assert drift(changes, instant(daemon.item("tea")["due"])) < 0.1, changes
    page.reload()
    daemon.run("pause", "tea")
    expect(page.locator(".single .state")).to_have_text("paused")
    expect(page.locator("#toast")).to_have_text("")
