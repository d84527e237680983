"""How the tests read the page."""

import difflib
import json
import os
import pathlib
import re
import time
from datetime import datetime

from playwright.sync_api import expect

from stage import LIMIT

# What a browser says of a stream that is cut, by HTTP/1.1 and by HTTP/2.
CUT = ("ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_HTTP2_PROTOCOL_ERROR")
# What it says of a daemon that has gone, and of a proxy without its daemon.
LOST = (
    *CUT, "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_NOT_CONNECTED",
    "status of 502",
)

GOLDEN = pathlib.Path(__file__).parent / "golden"

# A script of a page that holds its streams: `openStreams()` are those that it has open, and `hello(version)` lets a
# test speak in the place of a daemon of that version.
STREAMS = """{
  window.streams = [];
  const Own = EventSource;
  window.EventSource = class extends Own { constructor(...all) { super(...all); window.streams.push(this); } };
  window.openStreams = () => window.streams.filter(({ readyState }) => readyState < 2).length;
  window.hello = (version) => {
    window.streams.at(-1).dispatchEvent(new MessageEvent("hello", { data: JSON.stringify({ version }) }));
  };
}"""

# A script of a page that does not wait for a random time before it connects or loads anew.
AT_ONCE = "Math.random = () => 0;"

# A script of a page that has the answers to some requests when `letCome()` is called.
LATE = """{
  const own = fetch;
  const called = new Promise((come) => { window.letCome = come; });
  window.fetch = async (url, ...all) => {
    if (String(url).includes(WORDS)) await called;
    return own(url, ...all);
  };
}"""

# A script of a page that is hidden and seen again by `hide(true)` and `hide(false)`.
HIDDEN = """{
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  window.hide = (isHidden) => { hidden = isHidden; document.dispatchEvent(new Event("visibilitychange")); };
}"""

# Resolves to when a text has changed three times, by the clock of the machine that the browser sees, and to what.
CHANGES = """(node) => new Promise((resolve, reject) => {
  const seen = [];
  const watch = new MutationObserver(() => {
    seen.push([Date.now(), node.textContent]);
    if (seen.length < 3) return;
    watch.disconnect();
    resolve(seen);
  });
  watch.observe(node, { childList: true, characterData: true, subtree: true });
  setTimeout(() => reject(new Error(`only ${seen.length} changes in 20 s`)), 20_000);
})"""


def late(words):
    """The script LATE for requests with these words in their address."""
    return LATE.replace("WORDS", json.dumps(words))


def seconds(digits):
    """The seconds of `3d 04:05:06`, `1:05:06` or `5:06`."""
    days, _, rest = digits.rpartition("d ")
    total = 0
    for part in rest.split(":"):
        total = total * 60 + int(part)
    return total + int(days or 0) * 86_400


def instant(text):
    """An instant of the daemon's JSON, in seconds."""
    return datetime.fromisoformat(text).timestamp()


def row(page, name):
    """The row of an item in the list."""
    return page.locator(".item").filter(has=page.locator(".name a", has_text=name))


def clock(page, name):
    """The time in the row of an item."""
    return row(page, name).locator(".time span")


def choose(page, name):
    """Selects an item by the mouse. All rows change with the seconds of the selected one."""
    row(page, name).locator(".time").click()
    expect(row(page, name)).to_have_attribute("aria-selected", "true")


def drift(changes, due):
    """How far, in seconds, digits change from where they belong: a whole second before the end.

    The best of three counts, because a busy machine may draw late, but never early.
    """
    return min(abs(due - stamp / 1_000 - seconds(text)) for stamp, text in changes)


def spoken(page):
    """Begins to note what the page speaks; `page.evaluate("window.spoken")` has it."""
    page.evaluate("""() => {
      window.spoken = [];
      const node = document.getElementById("voice");
      const watch = new MutationObserver(() => window.spoken.push(node.textContent));
      watch.observe(node, { childList: true, characterData: true, subtree: true });
    }""")


def tell_of_newer(page):
    """Tells a page with STREAMS that the daemon was updated."""
    for version in ("1.0", "2.0"):
        page.evaluate("(version) => hello(version)", version)


def recorded(name, part, moments):
    """Compares what a screen reader finds in a part with the record, until they are the same.

    A part may be drawn before all that it shows has come. `moments` are the patterns of what depends on the moment or
    on the machine, each with what stands for it.
    """
    record = GOLDEN / f"{name}.aria.txt"
    if os.environ.get("TMINUS_RECORD") == "1":
        record.parent.mkdir(exist_ok=True)
        record.write_text(reading(part, moments))
    expected, end = record.read_text(), time.monotonic() + LIMIT
    while (found := reading(part, moments)) != expected:
        lines = [text.splitlines() for text in (expected, found)]
        assert time.monotonic() < end, "\n".join(difflib.unified_diff(*lines, record.name, "found", lineterm=""))
        # Poll: the page does not say that it has drawn all.
        part.page.wait_for_timeout(50)


def reading(part, moments):
    """What a screen reader finds in a part, each moment with what stands for it."""
    found = part.aria_snapshot() + "\n"
    for moment, mark in moments:
        found = re.sub(moment, mark, found)
    return found
