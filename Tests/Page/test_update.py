"""Pages that stay open: while the daemon is updated, and beside a viewer that never reads."""

import contextlib
import pathlib
import re
import socket
import time

from playwright.sync_api import expect

from reading import AT_ONCE, LOST, row
from stage import LIMIT

# Changes an item so many times, and says how many viewers there are then.
CHANGE = """async (count) => {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  for (let number = 0; number < count; number++) {
    const { status } = await fetch(`items/large/${number % 2 ? "resume" : "pause"}`, request);
    if (status !== 200) throw new Error(status);
  }
  return (await (await fetch("status")).json()).viewers;
}"""


def test_a_viewer_that_never_reads_is_dropped_and_the_page_goes_on(daemons, visitor):
    daemon = daemons(f"timers: {{large: {{name: {'x' * 60_000}, duration: 1h}}, tea: {{duration: 1h}}}}\n")
    page = visitor.open(daemon, level="control")
    expect(row(page, "tea")).to_contain_text("running")
    expect(page.locator(".news")).to_have_text("live")

    def memory():
        status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    # What the changes themselves take, too: the daemon may have given free memory back just before.
    page.evaluate(CHANGE, 50)
    before = memory()
    with contextlib.closing(socket.socket()) as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        stuck.connect(("127.0.0.1", daemon.port))
        stuck.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert stuck.recv(12) == b"HTTP/1.1 200"
        # The head of the answer comes before the viewer is counted.
        end = time.monotonic() + LIMIT
        while (viewers := daemon.json("status")["viewers"]) != 2:
            assert time.monotonic() < end, viewers
        # Up to 30 MB, of which the kernel keeps four.
        viewers = (page.evaluate(CHANGE, 50) for _ in range(10))
        assert 1 in viewers
        assert memory() - before < 15
    daemon.run("pause", "tea")
    expect(row(page, "tea")).to_contain_text("paused")


def test_an_update_under_open_pages(daemon, visitor):
    visitor.expect(*LOST)
    page = visitor.open(daemon)
    wall = visitor.open(daemon, "?wall&id=tea", script=AT_ONCE)
    for one in (page, wall):
        expect(one.locator(".news").first).to_have_attribute("data-state", "live")
    expect(row(page, "Eggs")).to_be_visible()
    expect(wall.locator(".single .clock")).to_have_text(re.compile(r"^00:\d\d:\d\d$"))
    script = "document.querySelector('script[type=module]').src"
    before = page.evaluate(script)
    with wall.expect_navigation(timeout=120_000):
        daemon.update()
    # A wall display loads the new page by itself. Any other page offers it, and goes on.
    expect(wall.locator(".single .clock")).to_have_text(re.compile(r"^00:\d\d:\d\d$"))
    assert wall.evaluate(script) != before
    expect(page.get_by_text("The daemon was updated.")).to_be_visible()
    daemon.run("start", "eggs")
    expect(row(page, "Eggs")).to_contain_text("running")
    assert page.evaluate(script) == before
    page.get_by_role("button", name="Load the new page").click()
    expect(page.get_by_text("The daemon was updated.")).to_be_hidden()
    expect(row(page, "Eggs")).to_contain_text("running")
    assert page.evaluate(script) == wall.evaluate(script)
