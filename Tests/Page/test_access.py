"""Everybody can use the page: axe, aria snapshots, themes, preferences, and who may do what."""

import itertools
import re
import signal

import pytest
from playwright.sync_api import expect

from accessibility import examine, examine_both
from daemon import CONFIG
from reading import LOST, STREAMS, recorded, row, tell_of_newer

STATES = {
    "list": "", "search": "?q=nothing+like+this", "item": "?id=launch", "stopwatch": "?id=run", "wall": "?wall",
    "wall of one": "?wall&id=tea",
}


def settled(page):
    """Waits until a view shows items."""
    expect(page.locator(".item, .tell .clock, .tile, .empty:not(.waiting)").first).to_be_visible()
    return page


@pytest.mark.parametrize("path", STATES.values(), ids=STATES.keys())
def test_axe_finds_nothing(shared, visitor, path):
    examine_both(settled(visitor.open(shared, path, level="control")))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_menu_help_selection_and_question_open(daemon, visitor, scheme):
    page = settled(visitor.open(daemon, level="control", color_scheme=scheme))
    row(page, "Green tea").locator(".time").click()
    expect(page.get_by_role("button", name=re.compile("^Pause"))).to_be_visible()
    assert examine(page) == []
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#menu")).to_be_visible()
    assert examine(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("grid").focus()
    for key in ("?", "x"):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        assert examine(page) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_when_something_is_wrong_or_missing(daemon, daemons, visitor, scheme):
    visitor.expect(*LOST)
    bad = "{shell: 'exit 3', retry: {limit: 1}}"
    daemon.write("more.yaml", f"timers:\n  blink: {{duration: 1s, on-expiry: [{bad}]}}\n")
    daemon.write("broken.yaml", "timers: {oops: {duration: soon}}\n")
    daemon.run("mute", "tea", "--for", "1h")
    page = settled(visitor.open(daemon, level="control", color_scheme=scheme))
    expect(row(page, "blink")).to_contain_text("failing")
    expect(row(page, "Green tea")).to_contain_text("muted")
    expect(page.locator(".notice.bad")).to_contain_text("broken.yaml")
    assert examine(page) == []
    gone = visitor.open(daemon, "?id=nothing", context=page.context)
    expect(gone.get_by_text("There is no item 'nothing'.")).to_be_visible()
    assert examine(gone) == []
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="tester").click()
    expect(page.get_by_role("dialog", name="Signed in as")).to_be_visible()
    assert examine(page) == []
    page.keyboard.press("Escape")
    daemon.stop()
    expect(page.locator(".old")).to_be_visible()
    assert examine(page) == []
    empty = settled(visitor.open(daemons("timers: {}\n"), color_scheme=scheme))
    expect(empty.get_by_text("Nothing is defined yet.")).to_be_visible()
    assert examine(empty) == []


def test_axe_finds_nothing_with_another_face_or_one_ring(shared, visitor):
    page = settled(visitor.open(shared, "?id=tea", level="control"))
    page.keyboard.press("f")
    expect(page.locator(".picture .dial")).to_be_visible()
    examine_both(page)
    page.keyboard.press("f")
    page.keyboard.press("o")
    expect(page.locator(".picture .arc")).to_have_count(1)
    examine_both(page)
    for query, shown in [("face=analogue", ".single .dial"), ("rings=total", ".single .rings")]:
        page.goto(f"{shared.url}?wall&id=tea&{query}")
        expect(page.locator(shown)).to_be_visible()
        examine_both(page)


def test_axe_finds_nothing_on_a_wall_that_is_one_canvas(daemons, visitor):
    timers = "".join(f"  n{number}: {{name: Number {number}, duration: 9h, start: auto}}\n" for number in range(200))
    size = {"width": 3840, "height": 2160}
    page = visitor.open(daemons("timers:\n" + timers), "?wall", viewport=size)
    expect(page.locator("canvas")).to_have_count(1)
    expect(page.locator(".tile .clock").first).to_have_attribute("aria-label", re.compile("^8 hours 59 minutes"))
    # Once: axe sees no colour on a canvas, and 200 tiles take it seconds.
    assert examine(page) == []


def test_axe_finds_nothing_when_nothing_is_confirmed(daemons, visitor):
    visitor.expect(*LOST)
    short = "{name: Short, duration: 12s, start: manual}"
    daemon = daemons(f"timers:\n  short: {short}\n  tea: {{duration: 1h, start: auto}}\n")
    first = visitor.open(daemon, level="read")
    others = [visitor.open(daemon, path, context=first.context) for path in ("?id=short", "?wall&id=short", "?wall")]
    pages = [first, *others]
    for page in pages:
        expect(page.locator("main")).to_contain_text("tea" if page is pages[3] else "Short")
    daemon.run("start", "short")
    for page in pages[:2]:
        expect(page.locator("main")).to_contain_text("running")
    expect(pages[2].locator(".clock")).not_to_have_text("00:00:12")
    expect(pages[3].locator(".tile")).to_have_count(2)
    daemon.stop(signal.SIGKILL)
    for page in pages[:3]:
        expect(page.locator("main")).to_contain_text("due, not confirmed")
        examine_both(page)
    expect(pages[3].locator(".wall .news")).to_be_visible()
    examine_both(pages[3])


def test_axe_finds_nothing_on_a_wall_that_is_signed_out(daemons, visitor):
    visitor.expect(*LOST, "status of 401")
    daemon = daemons(CONFIG, "--private")
    page = settled(visitor.open(daemon, "?wall", level="read"))
    expect(page.locator(".news").first).to_have_attribute("data-state", "live")
    daemon.run("token", "remove", "tester-1")
    # The daemon looks at the tokens of those who follow when it looks at its files.
    daemon.write("more.yaml", "")
    expect(page.locator(".wall .news")).to_have_text("signed out, counting on")
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    examine_both(page)


def test_axe_finds_nothing_before_there_are_items(shared, visitor):
    first = visitor.open(shared, "healthz")
    # No answer comes, so the pages wait, at first without a word.
    first.context.route(re.compile(r"/items\?"), lambda route: None)
    pages = [visitor.open(shared, path, context=first.context) for path in ("", "?id=tea", "?wall")]
    for page in pages:
        expect(page.locator("main > *").first).to_be_attached()
        examine_both(page)
    for page in pages:
        expect(page.locator(".old, .empty, .nothing").first).to_contain_text("no answer within 5 s")
        examine_both(page)


def test_axe_finds_nothing_when_the_page_is_an_older_one(shared, visitor):
    page = visitor.open(shared, script=STREAMS)
    expect(row(page, "Eggs")).to_be_visible()
    tell_of_newer(page)
    expect(page.get_by_text("The daemon was updated.")).to_be_visible()
    examine_both(page)


@pytest.mark.parametrize(
    "options",
    [
        {"reduced_motion": "reduce"}, {"forced_colors": "active"}, {"locale": "de-DE", "timezone_id": "Asia/Tokyo"},
        {"viewport": {"width": 320, "height": 640}},
    ],
    ids=["reduced motion", "forced colours", "German in Tokyo", "320 px"],
)
def test_axe_finds_nothing_for_other_preferences(shared, visitor, options):
    for path in ("", "?id=launch"):
        assert examine(settled(visitor.open(shared, path, level="control", **options))) == []


def test_instants_are_told_in_the_zone_of_the_definition_and_in_that_of_the_browser(shared, visitor):
    page = settled(visitor.open(shared, "?id=launch", locale="de-DE", timezone_id="Asia/Tokyo"))
    told = "Di., 1. Dez. 2099, 09:00 Europe/Berlin (yours Di., 1. Dez. 2099, 17:00)"
    expect(page.locator("dl.facts").first).to_contain_text(told)


def test_twice_the_size_of_text_loses_nothing(shared, visitor):
    page = visitor.open(shared, viewport={"width": 640, "height": 900})
    settled(page)
    page.evaluate("document.documentElement.style.setProperty('font-size', '200%'); dispatchEvent(new Event('resize'))")
    rows = page.locator(".item")
    boxes = [box for box in (one.bounding_box() for one in rows.all()) if box]
    boxes.sort(key=lambda box: box["y"])
    for upper, lower in itertools.pairwise(boxes):
        assert upper["y"] + upper["height"] <= lower["y"] + 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_with_little_motion_a_ring_moves_once_a_second(shared, visitor):
    page = settled(visitor.open(shared, "?id=tea", reduced_motion="reduce"))
    count = page.locator(".picture .arc").nth(2).evaluate("""(arc) => new Promise((resolve) => {
      let [changes, start] = [0, performance.now()];
      new MutationObserver(() => {
        changes += 1;
        const passed = performance.now() - start;
        if (passed >= 2_000) resolve(changes / passed * 1_000);
      }).observe(arc, { attributes: true, attributeFilter: ["stroke-dasharray"] });
    })""")
    assert count <= 2.1


def test_the_whole_list_is_printed(daemons, visitor):
    events = "".join(f"  n{number}: {{name: Number {number}, at: 2099-01-01 00:00}}\n" for number in range(120))
    page = settled(visitor.open(daemons("events:\n" + events)))
    assert page.locator(".item").count() < 120
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".item")).to_have_count(120)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".item").count() < 120


@pytest.mark.parametrize("name", ["list", "item", "stopwatch", "wall", "wall of one", "help"])
def test_what_a_screen_reader_finds_is_recorded(shared, visitor, name):
    page = settled(visitor.open(shared, STATES.get(name, ""), level="control"))
    # The items may come before the stream of changes.
    expect(page.locator("html")).to_have_attribute("data-feed", "live")
    if name in ("item", "stopwatch"):
        expect(page.get_by_role("heading", name="Rule")).to_be_visible()
    part = page.locator("body")
    if name == "help":
        # The keys that it tells depend on who is signed in.
        expect(page.get_by_role("link", name="Add", exact=True)).to_be_visible()
        page.keyboard.press("?")
        part = page.get_by_role("dialog", name="Keys")
        expect(part).to_be_visible()
    if name.startswith("wall"):
        expect(page.locator("#voice")).not_to_be_empty()
    recorded(name.replace(" ", "-"), part, [
        (re.escape(str(shared.config)), "config"),
        (r"(?<!level=)\d[\d:.,]*( ?(days?|hours?|minutes?|seconds?|min|s|d|%|AM|PM)\b)?", "0"),
        (r"0( 0)+", "0"),
        (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b, \w{3}", "day"),
    ])


def test_a_token_signs_in_and_out(daemon, visitor):
    secret = daemon.token("control", "laptop")
    page = settled(visitor.open(daemon))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign in").click()
    visitor.expect("401")
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.get_by_label("Token").fill(secret)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    row(page, "Green tea").locator(".time").click()
    expect(page.get_by_role("button", name=re.compile("^Pause"))).to_be_visible()
    daemon.run("token", "remove", "laptop")
    page.get_by_role("button", name=re.compile("^Pause")).click()
    expect(page.locator("#toast")).to_be_visible()
    assert daemon.item("tea")["state"] == "running"


def test_a_link_of_tminus_web_signs_in_once_and_leaves_no_code_in_the_address(daemon, visitor):
    link = re.search(r"http://\S+", daemon.run("web", "--level", "control")).group()
    page = settled(visitor.open(daemon, link.removeprefix(daemon.url)))
    row(page, "Green tea").locator(".time").click()
    expect(page.get_by_role("button", name=re.compile("^Pause"))).to_be_visible()
    assert "code" not in page.url
