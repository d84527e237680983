"""The list: what it shows, in which order, and how it follows the files."""

import json
import re

import pytest
from playwright.sync_api import expect

from daemon import CONFIG
from reading import CHANGES, choose, clock, drift, instant, row

NAMES = {
    "launch": "Product launch", "stand-up": "Daily stand-up", "tea": "Green tea", "eggs": "Eggs", "run": "Workout",
}
# What somebody sees of the rows, from top to bottom: names of groups and of items.
SEEN = """(nodes) => nodes
  .map((node) => [node.getBoundingClientRect().top, node.querySelector("h2, .name a").textContent])
  .sort((one, other) => one[0] - other[0]).map(([, name]) => name)"""


def test_groups_and_order_are_those_of_the_command_list(shared, visitor):
    page = visitor.open(shared)
    expect(row(page, "Workout")).to_be_visible()
    expected = []
    for line in filter(None, shared.run("list").splitlines()):
        head = re.fullmatch(r"(\w+) \((\d+)\)", line)
        expected.append(head.group(1) if head else NAMES[line.split()[1]])
        if head:
            expect(page.locator(".rows .group").filter(has_text=head.group(1))).to_contain_text(head.group(2))
    assert page.locator(".rows > *").evaluate_all(SEEN) == expected


def test_digits_change_with_the_seconds_of_the_daemon(shared, visitor):
    page = visitor.open(shared)
    choose(page, "Green tea")
    changes = clock(page, "Green tea").evaluate(CHANGES)
    assert drift(changes, instant(shared.item("tea")["due"])) < 0.1, changes


@pytest.mark.proxies
def test_a_saved_file_is_on_the_page_without_loading_it_again(daemon, visitor):
    page = visitor.open(daemon)
    expect(row(page, "Eggs")).to_be_visible()
    page.evaluate("window.isTheSame = true")
    daemon.write("more.yaml", "timers:\n  bread: {name: Bread in the oven, duration: 44m, start: auto}\n")
    expect(row(page, "Bread in the oven")).to_contain_text("running")
    daemon.write("all.yaml", CONFIG.replace("name: Eggs", "name: Soft eggs"))
    expect(row(page, "Soft eggs")).to_be_visible()
    (daemon.config / "more.yaml").unlink()
    expect(row(page, "Bread in the oven")).to_have_count(0)
    assert page.evaluate("window.isTheSame")


def test_a_broken_file_is_told_where_it_is_broken_from_level_control_on(daemon, visitor):
    page = visitor.open(daemon, level="control")
    reader = visitor.open(daemon)
    expect(row(page, "Eggs")).to_be_visible()
    expect(row(reader, "Eggs")).to_be_visible()
    daemon.write("broken.yaml", "timers:\n  x: {duratoin: 1m}\n")
    expect(page.locator(".notice.bad")).to_contain_text("broken.yaml:2")
    # Paths are not for readers.
    expect(reader.locator(".notice.bad")).to_be_hidden()
    daemon.write("broken.yaml", "timers:\n  x: {duration: 1m}\n")
    expect(page.locator(".notice.bad")).to_be_hidden()


def test_search_finds_names_ids_labels_and_words_of_the_description(shared, visitor):
    page = visitor.open(shared)
    search = page.get_by_role("searchbox")
    for words, names in [
        ("tea", ["Daily stand-up", "Product launch", "Green tea"]),
        ("PUBLIC", ["Product launch"]),
        ("kitchen", ["Green tea"]),
        ("room:lobby", ["Product launch"]),
        ("stopwatch", ["Workout"]),
    ]:
        search.fill(words)
        expect(page.locator(".item .name a")).to_have_text(names)
    search.fill("nothing like this")
    expect(page.get_by_text("No item is like that.")).to_be_visible()
    assert "q=nothing" in page.url
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".item")).to_have_count(5)


def test_groups_labels_and_order_are_in_the_address_and_can_be_taken_back(shared, visitor):
    page = visitor.open(shared, "?label=team:web")
    expect(page.locator(".item")).to_have_count(2)
    page.get_by_role("button", name="not only team:web").click()
    expect(page.locator(".item")).to_have_count(5)
    page.get_by_role("button", name=re.compile("^Running")).click()
    expect(page.locator(".item")).to_have_count(2)
    assert page.url.endswith("?group=running")
    page.reload()
    expect(page.locator(".item")).to_have_count(2)
    page.get_by_role("button", name=re.compile("^Running")).click()
    page.get_by_label("Order").select_option("name")
    expect(page.locator(".item")).to_have_count(5)
    seen = page.locator(".rows > *").evaluate_all(SEEN)
    assert seen == ["Upcoming", "Daily stand-up", "Eggs", "Product launch", "Running", "Green tea", "Workout"]


def test_a_directory_without_definitions_says_how_to_begin(daemons, visitor):
    page = visitor.open(daemons(""))
    expect(page.get_by_role("heading", name="Nothing is defined yet.")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("duration: 4m")


HOSTILE = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "bidi": "left \u202egnirts",
    "control": "line\u0007bell",
    "link": "javascript:alert(1)",
    "long": "w" * 65_536,
}


def test_texts_of_users_stay_texts(daemons, visitor):
    texts = {key: json.dumps(name) for key, name in HOSTILE.items()}
    lines = "".join(
        f"  {key}: {{name: {name}, description: {name}, duration: 1h, start: auto, color: '#ff0000'}}\n"
        for key, name in texts.items()
    )
    daemon = daemons("timers:\n" + lines)
    for path in ("", "?id=image", "?id=long", "?wall", "?wall&id=script"):
        page = visitor.open(daemon, path)
        page.on("dialog", lambda dialog: (_ for _ in ()).throw(AssertionError("a text ran as a script")))
        expect(page.get_by_text("<").or_(page.get_by_text("www")).first).to_be_visible()
        assert page.locator("main img, main script, main a[href^=javascript]").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page = visitor.open(daemon)
    expect(row(page, "\\u{202E}gnirts")).to_be_visible()
    expect(row(page, "line\\u{7}bell")).to_be_visible()


def test_labels_names_of_files_and_addresses_of_receivers_stay_texts(daemons, visitor):
    file = "<img src=x onerror=alert(1)>.yaml"
    receiver = "http://127.0.0.1:9/<script>alert(2)</script>?<img/src=x>"
    labels = {"<b>team<": "<script>alert(3)</script>", "bidi": "left \u202egnirts", "link": "javascript:alert(4)"}
    timer = {"duration": "1h", "start": "auto", "labels": labels, "on-expiry": [{"webhook": receiver}]}
    # JSON is YAML.
    daemon = daemons({file: json.dumps({"timers": {"plain": timer}})}, "--allow-edit")
    daemon.run("fire", "plain", "--no-wait")
    first = visitor.open(daemon, level="edit")
    first.on("dialog", lambda dialog: (_ for _ in ()).throw(AssertionError("a text ran as a script")))
    for path, shown in [
        ("", "plain"), ("?id=plain", labels["<b>team<"]), ("?id=plain", file), ("?wall", "plain"),
        ("?label=link:javascript:alert(4)", "plain"), ("?status", file), ("?file=", file),
        ("?edit=plain", file), ("?deliveries", "webhook"),
    ]:
        first.goto(daemon.url + path)
        main = first.locator("main")
        expect(main).to_contain_text(shown)
        assert main.locator("img, script, a[href^=javascript]").count() == 0, path
        assert "\u202e" not in main.inner_text(), path
        assert first.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_ten_thousand_items_are_there_at_once_and_only_those_in_sight_cost(daemons, visitor):
    events = "".join(f"  n{number}: {{name: Number {number}, at: 2099-01-01 00:00}}\n" for number in range(10_000))
    daemon = daemons("events:\n" + events)
    page = visitor.open(daemon)
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "10001")
    assert page.locator(".item").count() < 60
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    expect(row(page, "Number 9999")).to_have_attribute("aria-selected", "true")
    assert page.locator(".item").count() < 60
    page.get_by_role("searchbox").fill("number 7777")
    expect(page.locator(".item")).to_have_count(1)


def test_nothing_scrolls_sideways_on_a_small_screen(shared, visitor):
    page = visitor.open(shared, viewport={"width": 320, "height": 640}, has_touch=True)
    for path, shown in [
        ("", "Green tea"), ("?id=launch", "Version 2 goes public."), ("?id=run", "Workout"), ("?wall", "Green tea"),
        ("?wall&id=tea", "Green tea"), ("?status", "In force"),
    ]:
        page.goto(shared.url + path)
        expect(page.locator("main")).to_contain_text(shown)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_the_first_visit_needs_few_requests_and_no_other_host(shared, browser):
    context = browser.new_context()
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(shared.url)
    expect(row(page, "Eggs")).to_be_visible()
    assert all(url.startswith(shared.url) for url in asked), asked
    files = [url for url in asked if "/page/" in url or url == shared.url]
    assert len(files) <= 15, files
    # What has a version in its address is not asked for again.
    first, asked[:] = list(asked), []
    page.goto(shared.url + "?q=eggs")
    expect(row(page, "Eggs")).to_be_visible()
    sizes = page.evaluate("""performance.getEntriesByType("resource")
      .filter(({ name }) => name.includes("/page/")).map(({ transferSize }) => transferSize)""")
    assert first and sizes and not any(sizes), sizes
    context.close()
