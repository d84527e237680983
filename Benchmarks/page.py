#!/usr/bin/env python3
"""Measures the web page in Chromium: what it loads, how soon it shows, and what it costs while somebody looks.

usage: page.py TMINUS

`make bench-page` runs it in the environment of `make check-page`, and judges the figures that it writes by table.py.
Processor times are of the page's process and of the one that draws, without a graphics card.
"""

import json
import os
import pathlib
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from daemon import Daemon, Failed, precise_processor_seconds, quantile, runs, say
from table import Row

# Seconds over which processor time is measured.
SPAN = 15

# The width of the rings of a large item, in pixels, as the design has measured them.
LARGE = 900

# Notes when the first row is there, when all items are known, and how long tasks take.
WATCH = """{
  window.long = [];
  new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask", buffered: true });
  const look = () => {
    window.first ??= document.querySelector(".item") ? performance.now() : undefined;
    window.whole ??= document.querySelector("[aria-rowcount='10001']") ? performance.now() : undefined;
    if (window.whole === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""

# Scrolls for two seconds and resolves to the time of each frame.
SCROLL = """async () => {
  const frames = [];
  let last = performance.now();
  for (let step = 0; step < 120; step += 1) {
    scrollBy(0, 400);
    await new Promise(requestAnimationFrame);
    frames.push(performance.now() - last);
    last = performance.now();
  }
  return frames;
}"""


def is_own(pid):
    """Whether a process descends from this one: other browsers may run on the machine."""
    while pid > 1 and pid != os.getpid():
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        pid = int(stat.rsplit(")", 1)[1].split()[1])
    return pid == os.getpid()


def processes(kind):
    """The processes of the browser of a kind: `renderer`, `gpu-process`."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_text().replace("\0", " ")
        except OSError:
            continue
        # The browser writes its own command lines, with blanks.
        pid = int(path.parent.name)
        if "headless" in words.split(" ")[0] and f"--type={kind} " in words and is_own(pid):
            found.append(pid)
    return found


def share(page):
    """The percentage of a core that the page takes while somebody looks at it."""
    pids = processes("renderer") + processes("gpu-process")

    def used():
        return sum(precise_processor_seconds(pid) for pid in pids)

    page.wait_for_timeout(3_000)
    before, began = used(), time.monotonic()
    page.wait_for_timeout(SPAN * 1_000)
    return (used() - before) / (time.monotonic() - began) * 100


def frames(browser, page, work):
    """The frames while `work()` runs: how many were shown in a second, and the percentage that was dropped.

    By the trace of the browser's compositor: what a script counts are frames that were begun.
    """
    browser.start_tracing(page=page, categories=["cc", "benchmark", "viz", "devtools.timeline"])
    began = time.monotonic()
    work()
    passed = time.monotonic() - began
    events = json.loads(browser.stop_tracing())["traceEvents"]
    reports = [event["args"].get("frame_reporter") for event in events if event["name"] == "PipelineReporter"]
    states = [report["state"] for report in reports if report]
    shown = sum(state.startswith("STATE_PRESENTED") for state in states)
    dropped = sum(state == "STATE_DROPPED" for state in states)
    if shown == 0:
        raise Failed("the trace has no frame that was shown")
    return shown / passed, dropped / (shown + dropped) * 100


def serve(binary, root, text):
    """A daemon of these definitions, and the address of its page."""
    (root / "config").mkdir(mode=0o700)
    (root / "config" / "all.yaml").write_text(text)
    daemon = Daemon(binary, root, "--listen", "127.0.0.1:0")
    open_at = daemon.next(lambda line: line["message"] == "HTTP open")[1]
    daemon.live()
    return daemon, f"http://{open_at['address']}/"


def bench_loading(binary, browser):
    events = "".join(f"  n{number}: {{at: 2099-01-01 00:00}}\n" for number in range(10_000))
    names = ("first", "whole", "long", "frame", "dropped", "bytes", "requests", "others")
    values = {name: [] for name in names}
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        daemon, url = serve(binary, pathlib.Path(directory), "events:\n" + events)
        with daemon:
            for _ in range(runs()):
                page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
                page.add_init_script(WATCH)
                asked = []
                page.on("request", lambda request, asked=asked: asked.append(request.url))
                page.goto(url)
                page.locator("[aria-rowcount='10001']").wait_for()
                page.wait_for_timeout(500)
                values["first"].append(page.evaluate("window.first"))
                values["whole"].append(page.evaluate("window.whole"))
                values["long"].append(page.evaluate("Math.max(0, ...window.long)"))
                values["frame"].append(quantile(page.evaluate(SCROLL), 0.95))
                # In a second pass, because tracing slows the page down.
                values["dropped"].append(frames(browser, page, lambda page=page: page.evaluate(SCROLL))[1])
                sizes = page.evaluate("""["resource", "navigation"]
                  .flatMap((type) => performance.getEntriesByType(type))
                  .filter(({ name }) => name.includes("/page/") || !name.includes("?") && name.endsWith("/"))
                  .map(({ encodedBodySize }) => encodedBodySize)""")
                values["bytes"].append(sum(sizes) / 1_000)
                values["requests"].append(sum("/page/" in one or one == url for one in asked))
                values["others"].append(sum(not one.startswith(url) for one in asked))
                page.context.close()
    Row("page: first rows of 10,000 items", "ms", values["first"], 300).write()
    Row("page: all 10,000 items known", "ms", values["whole"]).write()
    Row("page: longest task until then", "ms", values["long"], 50).write()
    Row("page: frame while scrolling 10,000 items, p95", "ms", values["frame"], 33).write()
    Row("page: frames dropped while scrolling 10,000 items", "%", values["dropped"]).write()
    Row("page: files of the first visit", "KB", values["bytes"], 100).write()
    Row("page: files of the first visit", "requests", values["requests"], 15).write()
    Row("page: requests to other hosts", "requests", values["others"], 0).write()


def bench_counting(binary, browser):
    timers = "".join(f"  t{number}: {{duration: {3_600 + number}s, on-expiry: []}}\n" for number in range(1_000))
    scenes = [
        ("page: list, 60 rows in sight", "", (1280, 4_300), ".item", 60, 5),
        (f"page: one item large, three rings of {LARGE} px", "?wall&id=t5", (2648, 1364), ".arc", 3, 30),
        ("page: wall of 1,000 rings", "?wall", (7680, 4320), ".tile", 1_000, 15),
    ]
    moving = []
    with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
        daemon, url = serve(binary, pathlib.Path(directory), "timers:\n" + timers)
        with daemon:
            for figure, query, (width, height), shown, least, target in scenes:
                values = []
                for _ in range(runs(2)):
                    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
                    page.goto(url + query)
                    page.locator(shown).nth(least - 1).wait_for(state="attached")
                    values.append(share(page))
                    if least == 3:
                        wide = page.locator(".single .rings").bounding_box()["width"]
                        if abs(wide - LARGE) > 5:
                            raise Failed(f"the rings are {wide:.0f} px wide, not {LARGE}")
                        moving.append(frames(browser, page, lambda page=page: page.wait_for_timeout(5_000)))
                    page.context.close()
                Row(figure, "% of a core", values, target).write()
    shown, dropped = zip(*moving, strict=True)
    Row("page: one item large: frames", "1/s", shown).write()
    Row("page: one item large: frames dropped", "%", dropped).write()


def main():
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for bench in (bench_loading, bench_counting):
            say(f"page: {bench.__name__}")
            bench(sys.argv[1], browser)
        browser.close()


if __name__ == "__main__":
    main()
