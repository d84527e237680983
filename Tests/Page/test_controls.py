"""Controls by keyboard, mouse and touch; what they answer, and what asks first."""

import re

import pytest
from playwright.sync_api import expect

from reading import clock, row, seconds

LAPS = "section:has(h2:text-is('Laps')) tr"


def answer(page, words):
    """Waits for an answer on the screen, which is spoken too."""
    expect(page.locator("#toast")).to_have_text(words)
    expect(page.locator("#voice")).to_have_text(words)


def select(page, name, level="control"):
    """Selects an item by the keyboard alone: the list has the focus from the beginning."""
    expect(row(page, name)).to_be_visible()
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("Home")
    for _ in range(20):
        if row(page, name).get_attribute("aria-selected") == "true":
            if level == "control":
                # Before the page knows who is signed in, the keys of the controls do nothing.
                expect(page.locator(".foot")).to_be_visible()
            return
        page.keyboard.press("j")
    raise AssertionError(f"{name} cannot be reached by the keyboard")


@pytest.mark.proxies
def test_space_pauses_resumes_and_starts(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Green tea")
    page.keyboard.press(" ")
    answer(page, re.compile(r"^tea: paused, \d+ min left$"))
    expect(row(page, "Green tea")).to_contain_text("paused")
    assert daemon.item("tea")["state"] == "paused"
    page.keyboard.press(" ")
    answer(page, re.compile(r"^tea: running, \d+ min left$"))
    select(page, "Eggs")
    page.keyboard.press(" ")
    answer(page, "eggs: running, 6 min left")


@pytest.mark.parametrize("yes", ["y", "n"])
def test_stop_and_reset_ask_first(daemon, visitor, yes):
    page = visitor.open(daemon, level="control")
    select(page, "Green tea")
    questions = [
        ("r", "Reset Green tea?", "tea: running, 50 min left"),
        ("x", "Stop Green tea?", "tea: not started, 50 min"),
    ]
    for key, question, done in questions:
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=question)).to_be_visible()
        page.keyboard.press(yes)
        answer(page, done if yes == "y" else "nothing was done")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("grid")).to_be_focused()
    assert daemon.item("tea")["state"] == ("idle" if yes == "y" else "running")


def test_a_question_about_what_has_changed_meanwhile_does_nothing(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Green tea")
    page.keyboard.press("x")
    expect(page.get_by_role("dialog")).to_be_visible()
    daemon.run("pause", "tea")
    expect(row(page, "Green tea")).to_contain_text("paused")
    page.keyboard.press("y")
    answer(page, "tea has changed meanwhile; nothing was done")
    assert daemon.item("tea")["state"] == "paused"


def test_a_key_reaches_the_item_it_was_meant_for_though_the_order_changes(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Green tea")
    daemon.write("more.yaml", "timers:\n  first: {name: First of all, duration: 5m, start: auto}\n")
    expect(row(page, "First of all")).to_be_visible()
    expect(row(page, "Green tea")).to_have_attribute("aria-selected", "true")
    page.keyboard.press(" ")
    answer(page, re.compile("^tea: paused"))
    assert daemon.item("first")["state"] == "running"


def test_plus_adds_a_minute(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Green tea")
    before = seconds(clock(page, "Green tea").inner_text())
    page.keyboard.press("+")
    answer(page, re.compile("^tea: running, 51 min left$"))
    # Not 50:00, which it may have been before.
    expect(clock(page, "Green tea")).to_have_text(re.compile(r"^(50:[1-5]\d|51:00)$"))
    assert 50 <= seconds(clock(page, "Green tea").inner_text()) - before <= 60


def test_snooze_skip_mute_and_unmute(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Daily stand-up")
    page.keyboard.press("z")
    answer(page, re.compile("^stand-up: upcoming, .* left, the expiry is sent 9 min later$"))
    page.keyboard.press("n")
    expect(page.get_by_role("dialog", name="Skip the next occurrence of Daily stand-up?")).to_be_visible()
    page.keyboard.press("y")
    answer(page, re.compile("the next occurrence is skipped"))
    page.keyboard.press("m")
    answer(page, re.compile("muted for 60 min"))
    expect(row(page, "Daily stand-up")).to_contain_text("muted")
    page.keyboard.press("u")
    expect(page.get_by_role("dialog", name="End mute, skip and snooze of Daily stand-up?")).to_be_visible()
    page.keyboard.press("y")
    answer(page, re.compile(r"^stand-up: upcoming, [\d.]+ \w+ left$"))


def test_laps_of_a_stopwatch_are_newest_first_with_the_fastest_and_the_slowest_marked(daemon, visitor):
    page = visitor.open(daemon, "?id=run", level="control")
    expect(page.get_by_role("heading", name="Workout")).to_be_visible()
    expect(page.get_by_role("button", name="Lap")).to_be_visible()
    for number in (1, 2, 3):
        page.keyboard.press("l")
        answer(page, re.compile(rf"^run: lap {number}, \d+:\d\d\.\d\d\d, "))
        expect(page.locator(LAPS)).to_have_count(number)
    rows = page.locator(LAPS).all_inner_texts()
    assert [text.split()[0] for text in rows] == ["#3", "#2", "#1"]
    told = {str(lap["number"]): lap for lap in daemon.item("run")["laps"]}
    for text in rows:
        number, length, _, *mark = text.split()
        lap = told[number[1:]]
        assert seconds(length.split(".")[0]) == int(lap["length"]["seconds"])
        assert mark == [word for word in ("fastest", "slowest") if lap[word]]


def test_a_refusal_says_what_fits(daemon, visitor):
    visitor.expect("409")
    page = visitor.open(daemon, level="control")
    select(page, "Product launch")
    page.keyboard.press(" ")
    answer(page, re.compile("^launch: an event follows the calendar.*; allowed: snooze, skip, mute$"))


def test_the_mouse_selects_and_presses(daemon, visitor):
    page = visitor.open(daemon, level="control")
    row(page, "Green tea").locator(".time").click()
    expect(row(page, "Green tea")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name=re.compile("^Pause")).click()
    answer(page, re.compile("^tea: paused"))
    expect(page.get_by_role("button", name=re.compile("^Resume"))).to_be_focused()


def test_a_finger_selects_opens_and_presses(daemon, visitor):
    page = visitor.open(daemon, level="control", viewport={"width": 390, "height": 800}, has_touch=True)
    row(page, "Eggs").locator(".ring").tap()
    page.get_by_role("button", name="Start").tap()
    answer(page, "eggs: running, 6 min left")
    page.get_by_role("button", name="More controls").tap()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    for button in page.locator(".controls button:visible").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    row(page, "Green tea").get_by_role("link", include_hidden=True).tap()
    expect(page.get_by_role("heading", name="Green tea")).to_be_visible()


def test_somebody_who_may_only_read_has_no_controls(daemon, visitor):
    page = visitor.open(daemon)
    select(page, "Green tea", level="read")
    expect(page.locator(".foot")).to_be_hidden()
    page.keyboard.press(" ")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Green tea")).to_be_visible()
    assert page.locator(".controls button").count() == 0
    assert daemon.item("tea")["state"] == "running"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("dialog")).not_to_contain_text("pause")


def test_keys_move_the_selection_and_open_help_search_item_and_wall(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Product launch")
    selected = page.locator("[aria-selected=true] .name a")
    moves = [("j", "Eggs"), ("ArrowDown", "Green tea"), ("k", "Eggs"), ("ArrowUp", "Product launch"), ("G", "Workout")]
    moves += [("g", "Daily stand-up"), ("End", "Workout"), ("Home", "Daily stand-up"), ("PageDown", "Workout")]
    for key, name in [*moves, ("PageUp", "Daily stand-up")]:
        page.keyboard.press(key)
        expect(selected).to_have_text(name)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("pause, resume or start")
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("work")
    expect(page.locator(".item")).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".item")).to_have_count(5)
    page.keyboard.press("t")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.keyboard.press("t")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Daily stand-up")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Product launch")).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator(".wall .single")).to_contain_text("Product launch")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Product launch")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name=re.compile("^Add|^New"))).to_be_visible()


def test_keys_have_no_meaning_outside_the_list_and_tab_leaves_it(daemon, visitor):
    page = visitor.open(daemon, level="control")
    select(page, "Green tea")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("x ")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("searchbox").fill("")
    page.get_by_role("grid").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=re.compile("^Pause"))).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name=re.compile("^Expired"))).to_be_focused()


def test_what_has_no_file_can_be_removed(daemon, visitor):
    daemon.run("timer", "10m", "Pizza")
    page = visitor.open(daemon, level="control")
    select(page, "Pizza")
    page.keyboard.press("Delete")
    expect(page.get_by_role("dialog", name="Remove Pizza?")).to_be_visible()
    page.keyboard.press("y")
    answer(page, re.compile("^pizza: removed$", re.I))
    expect(row(page, "Pizza")).to_have_count(0)
