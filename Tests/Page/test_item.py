"""One item: rings, faces, fields, and what becomes of it."""

import re
import time

from playwright.sync_api import expect

from daemon import CONFIG
from reading import CHANGES, drift, instant, seconds
from stage import LIMIT

ARC = "(arc) => parseFloat(arc.getAttribute('stroke-dasharray')) / (2 * Math.PI * arc.getAttribute('r'))"


def test_digits_reach_zero_with_the_daemon(shared, visitor):
    page = visitor.open(shared, "?id=tea")
    changes = page.locator(".tell .clock").evaluate(CHANGES)
    assert drift(changes, instant(shared.item("tea")["due"])) < 0.1, changes


def test_three_rings_show_what_is_left_of_the_day_the_hour_and_the_minute(shared, visitor):
    page = visitor.open(shared, "?id=tea")
    expect(page.locator(".picture .arc")).to_have_count(3)
    hours, minutes, whole = page.evaluate("""() => {
      const share = (arc) => parseFloat(arc.getAttribute("stroke-dasharray")) / (2 * Math.PI * arc.getAttribute("r"));
      const arcs = [...document.querySelectorAll(".picture .arc")].map(share);
      return [arcs[0], arcs[1], document.querySelector(".tell .clock").textContent];
    }""")
    left = seconds(whole)
    assert abs(hours - left / 86_400) < 0.001
    assert abs(minutes - left % 3_600 / 3_600) < 0.001
    inner = page.locator(".picture .arc").nth(2)
    inner.evaluate("""(arc) => new Promise((resolve) => {
      const watch = new MutationObserver(() => { watch.disconnect(); resolve(); });
      watch.observe(arc, { attributes: true });
    })""")


def test_one_ring_shows_the_share_of_the_total(shared, visitor):
    page = visitor.open(shared, "?id=tea")
    page.get_by_role("button", name="Total").click()
    expect(page.locator(".picture .arc")).to_have_count(1)
    share = page.locator(".picture .arc").evaluate(ARC)
    assert abs(share - shared.item("tea")["fraction"]) < 0.005
    # The choice stays in this browser.
    page.reload()
    expect(page.locator(".picture .arc")).to_have_count(1)
    page.keyboard.press("o")
    expect(page.locator(".picture .arc")).to_have_count(3)


def test_the_analogue_face_has_three_hands_that_stand_right(shared, visitor):
    page = visitor.open(shared, "?id=tea")
    expect(page.get_by_role("heading", name="Green tea")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".dial .second")).to_have_count(1)
    expect(page.get_by_role("button", name="Analogue")).to_have_attribute("aria-pressed", "true")
    # In a frame: the digits may be written when the item changes, and the hands are drawn at the next one.
    turns, digits = page.evaluate("""() => new Promise((done) => requestAnimationFrame(() => done([
      ["hour", "minute", "second"].map((hand) =>
        parseFloat(document.querySelector(`.dial .${hand}`).getAttribute("transform").slice("rotate(".length))),
      document.querySelector(".tell .clock").textContent,
    ])))""")
    left = seconds(digits)
    for turn, whole in zip(turns, [43_200, 3_600, 60], strict=True):
        assert abs(turn - left / whole % 1 * 360) < 0.5, (turn, whole, digits)


def test_the_fields_are_those_of_the_command_show(shared, visitor):
    page = visitor.open(shared, "?id=launch", level="control")
    expect(page.get_by_role("heading", name="Product launch")).to_be_visible()
    expect(page.get_by_text("Version 2 goes public.")).to_be_visible()
    told = {line.split("  ")[0].strip() for line in shared.run("show", "launch").splitlines()}
    own = page.locator("dl.facts dt").all_inner_texts()
    for label in ("state", "due", "remaining", "total", "reminder", "labels", "time zone", "file"):
        assert label in own, label
        assert any(words == label for words in told), label
    facts = page.locator("section:has(h2:text-is('Fields')) dl.facts")
    expect(facts).to_contain_text("all.yaml:2")
    expect(facts).to_contain_text("room=lobby, team=web")
    expect(facts).to_contain_text("Europe/Berlin")
    reminders = page.locator("section:has(h2:text-is('Reminders')) tr")
    expect(reminders).to_have_count(3)
    expect(reminders.first).to_contain_text("1 week before")
    expect(reminders.first).to_contain_text("next")
    expect(page.locator("section:has(h2:text-is('Rule'))")).to_contain_text("2099-12-01T09:00:00+01:00")


def test_deliveries_and_controls_are_told_to_who_may_see_them(daemon, visitor):
    sink = "{shell: 'echo out; exit 3', retry: {limit: 1}}"
    daemon.write("more.yaml", f"timers:\n  blink: {{duration: 1s, on-expiry: [{sink}]}}\n")
    daemon.run("mute", "tea", "--for", "1h", "--note", "lunch")
    page = visitor.open(daemon, "?id=blink", level="control")
    deliveries = page.locator("section:has(h2:text-is('Last deliveries')) tr")
    expect(deliveries.first).to_contain_text(re.compile("dead.*exit status 3", re.S))
    expect(page.locator(".tell .state")).to_have_text("expired, failing")
    page.goto(daemon.url + "?id=tea")
    controls = page.locator("section:has(h2:text-is('Controls')) tr")
    expect(controls.first).to_contain_text(re.compile("mute.*lunch", re.S))


def test_an_item_that_was_removed_is_waited_for(daemon, visitor):
    # The page may ask for its details after it is gone.
    visitor.expect("status of 404")
    page = visitor.open(daemon, "?id=eggs")
    expect(page.get_by_role("heading", name="Eggs")).to_be_visible()
    daemon.write("all.yaml", CONFIG.replace("eggs", "noodles"))
    expect(page.get_by_text("There is no 'eggs' now.")).to_be_visible()
    daemon.write("all.yaml", CONFIG)
    expect(page.get_by_text("There is no 'eggs' now.")).to_be_hidden()
    expect(page.locator(".tell .clock")).to_have_text("00:06:00")


def test_an_item_that_never_was_there_is_called_so_until_it_comes(daemon, visitor):
    visitor.expect("status of 404")
    page = visitor.open(daemon, "?id=noodles")
    wall = visitor.open(daemon, "?wall&id=noodles", context=page.context)
    expect(page.get_by_text("There is no item 'noodles'. When one comes it is shown here.")).to_be_visible()
    expect(page.locator(".panel:visible, .choices:visible")).to_have_count(0)
    expect(wall.locator(".single .state")).to_have_text("there is no such item; when one comes it is shown here")
    daemon.write("all.yaml", CONFIG.replace("eggs", "noodles"))
    expect(page.get_by_role("heading", name="Eggs")).to_be_visible()
    expect(page.get_by_role("button", name="Digital")).to_be_visible()
    expect(page.locator(".notice")).to_be_hidden()
    expect(wall.locator(".single .name")).to_have_text("Eggs")
    daemon.write("all.yaml", CONFIG)
    # What was there stays, and nothing of it can be drawn in another way.
    expect(page.get_by_text("There is no 'noodles' now. This page waits for it to come back.")).to_be_visible()
    expect(page.locator(".facts").first).to_contain_text("total")
    expect(page.locator(".choices")).to_be_hidden()
    expect(wall.locator(".single .state")).to_have_text("not there any more; waiting for it to come back")
    # Another id that never was there has none of that.
    page.evaluate("history.pushState(null, '', '?id=rice'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_text("There is no item 'rice'.")).to_be_visible()
    expect(page.locator(".panel:visible")).to_have_count(0)


FRAMES = """
const waiting = [];
window.requestAnimationFrame = (draw) => waiting.push(draw);
/** Draws a frame once somebody has asked for one after `count` others, and returns how many have asked for the next. */
window.frameAfter = async (count) => {
  const end = performance.now() + 15_000;
  while (waiting.length <= count) {
    if (performance.now() > end) throw new Error("nobody asks for a frame");
    await new Promise((next) => setTimeout(next, 10));
  }
  for (const draw of waiting.splice(0)) draw(performance.now());
  return waiting.length;
};
"""


def drawn(page, part, after=0):
    """Draws frames until a part is seen, the first after so many were asked for; returns how many are asked for now."""
    asked, end = 0, time.monotonic() + LIMIT
    while not part.is_visible():
        assert time.monotonic() < end, f"not seen within {LIMIT} s: {part}"
        asked, after = page.evaluate("(after) => frameAfter(after)", after), 0
    return asked


def test_an_item_that_comes_and_goes_between_two_frames_leaves_its_fields(daemon, visitor):
    visitor.expect("status of 404")
    page = visitor.open(daemon, "?id=noodles", script=FRAMES)
    drawn(page, page.get_by_text("There is no item 'noodles'."))
    daemon.write("all.yaml", CONFIG.replace("eggs", "noodles"))
    asked = drawn(page, page.get_by_role("heading", name="Eggs"))
    daemon.write("all.yaml", CONFIG)
    # What the page reads of the item may have asked for the first frame.
    drawn(page, page.get_by_text("There is no 'noodles' now."), after=asked)
    expect(page.locator(".facts").first).to_contain_text("total")
    expect(page.locator(".tell .clock")).to_have_text("00:06:00")


def test_a_timer_whose_actions_run_stands_still_and_says_so(daemon, visitor):
    gate = daemon.root / "gate"
    # The action ends when the test makes the file; a shell can only look for it.
    action = f"{{shell: 'until [ -e {gate} ]; do sleep 0.05; done'}}"
    daemon.write(
        "more.yaml", f"timers:\n  load: {{duration: 1s, repeat: after-action, on-expiry: [{action}]}}\n"
    )
    page = visitor.open(daemon, "?id=load")
    expect(page.locator(".tell .state")).to_have_text("acting: its actions are running")
    expect(page.locator(".tell .clock")).to_have_text("00:00:00")
    gate.touch()
    expect(page.locator(".tell .state")).to_have_text("running")
