"""The live model: clocks that are wrong, connections that are lost, tabs that nobody sees."""

import re
import signal

import pytest
from playwright.sync_api import expect

from daemon import CONFIG
from proxy import certificate
from reading import (
    CHANGES,
    HIDDEN,
    LOST,
    STREAMS,
    choose,
    clock,
    drift,
    instant,
    row,
    seconds,
    spoken,
    tell_of_newer,
)

# The browser's clock is wrong by an hour, and nothing else.
WRONG = "{ const now = Date.now; Date.now = () => now() + 3_600_000; }"

# A machine that sleeps: its monotonic clock stands still, which `sleep(ms)` makes of the other one that jumps.
SLEEP = """{
  const now = Date.now;
  let slept = 0;
  Date.now = () => now() + slept;
  window.sleep = (time) => { slept += time; };
}"""

# The stream of a daemon whose clock is that of the browser, so that a test can let an hour pass. `stream.ends(item)`
# tells of the item when it is due.
STAND_IN = """window.EventSource = class extends EventTarget {
  readyState = 1;
  constructor() {
    super();
    window.stream = this;
    setTimeout(() => { this.onopen?.(); this.tell("hello", { version: "1.0", now: this.now() }); });
    setInterval(() => this.tell("clock", { now: this.now() }), 15_000);
  }
  now() { return new Date().toISOString(); }
  tell(name, value) { this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(value) })); }
  ends(item) {
    setTimeout(() => this.tell("item", { ...item, "as-of": this.now() }), Date.parse(item.due) - Date.now());
  }
  close() {}
};"""


def measured(page, name, due, off=0):
    """The seconds between the digits of a row and the truth, for a browser whose clock is `off` milliseconds ahead."""
    choose(page, name)
    return drift([[stamp - off, text] for stamp, text in clock(page, name).evaluate(CHANGES)], due)


# The page is so busy at its start that it reads the time half a second late.
BUSY = """{
  const late = (object, name, isLate) => {
    const read = object[name];
    object[name] = function (...words) {
      const end = performance.now() + (isLate(this, ...words) ? 500 : 0);
      while (performance.now() < end);
      return read.apply(this, words);
    };
  };
  late(Response.prototype, "json", ({ url }) => url.includes("items?") && !url.endsWith("items?limit=1"));
  late(JSON, "parse", (json, text) => text.includes('"now"') || text.includes('"as-of"'));
}"""


def settled(page):
    """Waits until the page has asked for the time once more."""
    page.evaluate("""() => new Promise((done) => {
      const isAsked = ({ name }) => name.endsWith("items?limit=1");
      const look = () => performance.getEntriesByType("resource").some(isAsked) ? done() : setTimeout(look, 20);
      look();
    })""")


def test_digits_are_right_soon_after_a_busy_start(daemon, visitor):
    visitor.expect(*LOST)
    page = visitor.open(daemon, script=BUSY)
    due = instant(daemon.item("tea")["due"])
    settled(page)
    # So that nothing else tells the time.
    daemon.stop(signal.SIGKILL)
    assert measured(page, "Green tea", due) < 0.1


def test_digits_are_right_if_the_clock_of_the_browser_is_wrong_by_an_hour(shared, visitor):
    page = visitor.open(shared, script=WRONG)
    expect(row(page, "Green tea")).to_be_visible()
    due = instant(shared.item("tea")["due"])
    assert measured(page, "Green tea", due, off=3_600_000) < 0.1


def test_digits_are_right_after_a_day_of_sleep(daemon, visitor):
    page = visitor.open(daemon, script=SLEEP)
    expect(row(page, "Green tea")).to_be_visible()
    page.evaluate("sleep(86_400_000)")
    # Somebody looks at the page again.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".news")).to_have_attribute("data-state", "live")
    assert measured(page, "Green tea", instant(daemon.item("tea")["due"]), off=86_400_000) < 0.1


def test_digits_are_right_after_the_clock_of_the_browser_has_jumped(daemon, visitor):
    page = visitor.open(daemon, script=SLEEP)
    expect(row(page, "Green tea")).to_be_visible()
    due, off = instant(daemon.item("tea")["due"]), 0
    spoken(page)
    for jump, verb in ((-3_600_000, "start"), (7_200_000, "pause")):
        off += jump
        page.evaluate("(jump) => { window.spoken.length = 0; sleep(jump); }", jump)
        # The page finds out by itself, forgets what it knew of the clocks, and asks anew.
        page.evaluate("""() => new Promise((resolve, reject) => {
          const look = () => { if (window.spoken.includes("The connection is back.")) resolve(); };
          const voice = document.getElementById("voice");
          new MutationObserver(look).observe(voice, { childList: true, characterData: true, subtree: true });
          look();
          setTimeout(() => reject(new Error(`only ${window.spoken} in 20 s`)), 20_000);
        })""")
        assert "The connection is lost. The page counts on by itself." in page.evaluate("window.spoken")
        daemon.run(verb, "eggs")
        expect(row(page, "Eggs")).to_contain_text("running" if verb == "start" else "paused")
        assert measured(page, "Green tea", due, off=off) < 0.1


@pytest.mark.proxies
def test_a_lost_connection_is_told_and_everything_counts_on(daemon, visitor):
    visitor.expect(*LOST)
    page = visitor.open(daemon, level="control")
    expect(row(page, "Green tea")).to_be_visible()
    due = instant(daemon.item("tea")["due"])
    spoken(page)
    settled(page)
    daemon.stop(signal.SIGKILL)
    told = re.compile(r"^Since .* without news \(.+\)\. Everything counts on by itself\.$")
    expect(page.locator(".old")).to_have_text(told)
    expect(page).to_have_title("! old · tminus")
    assert measured(page, "Green tea", due) < 0.1
    # A control fails in words, at once.
    choose(page, "Green tea")
    page.keyboard.press(" ")
    missing = "the proxy does not reach the daemon" if daemon.proxy else "the daemon does not answer"
    expect(page.locator("#toast")).to_have_text(f"tea: {missing}")
    daemon.write("all.yaml", CONFIG.replace("name: Eggs", "name: Soft eggs"))
    daemon.start()
    expect(page.locator(".news")).to_have_text("live", timeout=40_000)
    expect(page.locator(".old")).to_be_hidden()
    expect(row(page, "Soft eggs")).to_be_visible()
    expect(page).to_have_title("tminus")
    assert measured(page, "Green tea", due) < 0.1
    told = page.evaluate("window.spoken")
    assert "The connection is lost. The page counts on by itself." in told and "The connection is back." in told


def test_zero_while_cut_off_is_due_and_not_confirmed(daemon, visitor):
    visitor.expect(*LOST)
    page = visitor.open(daemon)
    expect(page.locator(".news")).to_have_text("live")
    # Not before the page is open, which may take as long as the timer.
    daemon.write("more.yaml", "timers:\n  short: {name: Short, duration: 12s, start: auto}\n")
    expect(row(page, "Short")).to_contain_text("running")
    daemon.stop(signal.SIGKILL)
    expect(row(page, "Short")).to_contain_text("due, not confirmed")


def test_an_end_is_spoken_once(daemon, visitor):
    page = visitor.open(daemon)
    expect(row(page, "Eggs")).to_be_visible()
    spoken(page)
    daemon.write("more.yaml", "timers:\n  short: {name: Short, duration: 2s, start: auto}\n")
    expect(page.locator("#voice")).to_have_text("Short has ended")
    expect(row(page, "Short")).to_contain_text("expired")
    assert page.evaluate("window.spoken").count("Short has ended") == 1


def test_an_hour_of_countdown_speaks_fewer_than_ten_times(shared, visitor):
    page = visitor.open(shared, "?status", script=STAND_IN)
    tea = shared.item("tea")
    page.clock.install(time=instant(tea["due"]) - 50 * 60)
    page.goto(shared.url)
    expect(row(page, "Green tea")).to_be_visible()
    expect(page.locator(".news")).to_have_text("live")
    spoken(page)
    page.evaluate("(tea) => stream.ends(tea)", {**tea, "state": "expired"})
    page.clock.run_for(3_600_000)
    expect(row(page, "Green tea")).to_contain_text("expired")
    told = page.evaluate("window.spoken")
    assert "Green tea has ended" in told and len(told) < 10, told


def test_opening_and_closing_the_page_starts_and_stops_nothing(daemon, visitor):
    due = daemon.item("tea")["due"]
    for path in ("", "?id=tea", "?wall&id=tea"):
        page = visitor.open(daemon, path)
        expect(page.locator(".news").first).to_have_attribute("data-state", "live")
        page.reload()
        expect(page.locator("main")).to_contain_text("Green tea")
        page.close()
    assert daemon.item("tea")["due"] == due


def test_seven_tabs_of_one_browser_work(daemon, visitor):
    first = visitor.open(daemon, level="control", script=HIDDEN + STREAMS)
    tabs = [first] + [visitor.open(daemon, context=first.context) for _ in range(5)]
    for tab in tabs[:-1]:
        # As if thirty seconds had passed since another tab was chosen.
        tab.evaluate("""new Promise((resolve) => {
          const wait = setTimeout;
          window.setTimeout = (work, time) => wait(work, time === 30_000 ? 0 : time);
          hide(true);
          const look = () => (openStreams() === 0 ? resolve() : wait(look, 10));
          look();
        })""")
    seventh = visitor.open(daemon, context=first.context)
    expect(seventh.locator(".news")).to_have_text("live")
    daemon.run("pause", "tea")
    expect(row(seventh, "Green tea")).to_contain_text("paused")
    first.evaluate("hide(false)")
    expect(row(first, "Green tea")).to_contain_text("paused")
    assert first.evaluate("openStreams()") == 1


def test_seven_tabs_with_tls_are_all_live_at_once(daemons, visitor, tmp_path):
    files = [tmp_path / "cert.pem", tmp_path / "key.pem"]
    for file, text in zip(files, certificate(), strict=True):
        file.write_text(text)
    daemon = daemons(CONFIG, "--tls-cert", files[0], "--tls-key", files[1])
    first = visitor.open(daemon, level="control", script=STREAMS)
    tabs = [first] + [visitor.open(daemon, context=first.context) for _ in range(6)]
    for tab in tabs:
        expect(tab.locator(".news")).to_have_text("live")
        assert tab.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
    daemon.run("pause", "tea")
    for tab in tabs:
        expect(row(tab, "Green tea")).to_contain_text("paused")
        assert tab.evaluate("openStreams()") == 1


def test_the_page_of_an_older_program_offers_the_newer_one(shared, visitor):
    page = visitor.open(shared, script=STREAMS)
    expect(row(page, "Eggs")).to_be_visible()
    tell_of_newer(page)
    expect(page.get_by_text("The daemon was updated.")).to_be_visible()
    page.get_by_role("button", name="Load the new page").click()
    expect(page.get_by_text("The daemon was updated.")).to_be_hidden()


def test_a_clock_that_was_set_back_is_believed_the_second_time(shared, visitor):
    page = visitor.open(shared)
    base = page.locator("script[type=module]").evaluate("(script) => script.src.replace('main.js', '')")
    results = page.evaluate("""async (base) => {
      const { DaemonClock } = await import(base + "model.js");
      let [monotonic, wall] = [0, 5_000_000];
      const clock = new DaemonClock(() => monotonic, () => wall);
      const results = {};
      const pass = (time) => { monotonic += time; wall += time; };
      results.unset = clock.now();
      for (const late of [90, 7, 120, 2, 60]) { pass(1_000); clock.told(1_000_000 + monotonic - late); }
      results.fastest = clock.now() - monotonic;
      pass(15_000); clock.told(1_000_000 + monotonic - 9_000);
      results.late = clock.now() - monotonic;
      pass(15_000); clock.told(1_000_000 + monotonic - 3);
      for (let turn = 0; turn < 2; turn += 1) { pass(15_000); clock.told(400_000 + monotonic); }
      results.back = clock.now() - monotonic;
      pass(15_000); clock.told(7_000_000 + monotonic);
      results.ahead = clock.now() - monotonic;
      results.slept = [clock.hasSlept(), (wall += 3_000, clock.hasSlept()), clock.isSet];
      return results;
    }""", base)
    assert results == {
        "unset": 5_000_000, "fastest": 999_998, "late": 999_998, "back": 400_000, "ahead": 7_000_000,
        "slept": [False, True, False],
    }


def test_seconds_are_read():
    assert seconds("3d 04:05:06") == 3 * 86_400 + 4 * 3_600 + 5 * 60 + 6 and seconds("5:06") == 306
