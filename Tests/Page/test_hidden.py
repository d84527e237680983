"""A hidden page sends no request and sets no short timer."""

import time

import pytest
from playwright.sync_api import expect

from reading import HIDDEN, STREAMS

VIEWS = {"list": "", "item": "?id=tea", "wall": "?wall", "status": "?status", "deliveries": "?deliveries"}

# A script of a page that notes the delays of the timers that are set and that run. As in any browser, there are no
# frames while it is hidden.
DELAYS = """{
  window.delays = [];
  for (const name of ["setTimeout", "setInterval"]) {
    const own = window[name];
    window[name] = (work, delay = 0, ...all) => {
      window.delays.push(delay);
      return own((...given) => { window.delays.push(delay); work(...given); }, delay, ...all);
    };
  }
  const frame = window.requestAnimationFrame;
  window.requestAnimationFrame = (work) => (document.hidden ? -1 : frame(work));
}"""


def an_hour(page):
    """What a hidden page does in an hour, after the 30 s in which it gives its connection back."""
    asked = []
    page.clock.run_for(31_000)
    assert page.evaluate("openStreams()") == 0
    page.evaluate("window.delays.length = 0")
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(3_600_000)
    return {"requests": asked, "timers": [delay for delay in page.evaluate("window.delays") if delay < 60_000]}


@pytest.mark.parametrize("query", VIEWS.values(), ids=VIEWS.keys())
def test_a_hidden_page_asks_for_nothing_and_has_no_timer_under_a_minute(shared, visitor, query):
    page = visitor.open(shared, "healthz", level="control")
    page.clock.install(time=time.time())
    page.add_init_script(HIDDEN + STREAMS + DELAYS)
    page.goto(shared.url + query)
    expect(page.locator(".news").first).to_have_attribute("data-state", "live")
    expect(page.locator("main")).not_to_be_empty()
    # What it does while it is seen is noted.
    assert page.evaluate("window.delays.length") > 0 and page.evaluate("openStreams()") == 1
    page.evaluate("hide(true)")
    assert an_hour(page) == {"requests": [], "timers": []}


@pytest.mark.parametrize("query", VIEWS.values(), ids=VIEWS.keys())
def test_a_page_that_is_opened_where_nobody_sees_it_does_no_more(shared, visitor, query):
    page = visitor.open(shared, "healthz", level="control")
    page.clock.install(time=time.time())
    page.add_init_script(HIDDEN + STREAMS + DELAYS + "hide(true);")
    page.goto(shared.url + query)
    expect(page.locator("html")).to_have_attribute("data-feed", "live")
    expect(page.locator("main > *").first).to_be_attached()
    assert an_hour(page) == {"requests": [], "timers": []}
