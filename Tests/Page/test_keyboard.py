"""The page by the keyboard alone: nothing here uses the mouse, nor puts the focus anywhere."""

import re

import pytest
from playwright.sync_api import expect

from reading import CUT, row
from stage import LAUNCH, SINKS


def tab_to(page, target, key="Tab"):
    """Moves the focus by tabs to a control, as somebody without a mouse does."""
    for _ in range(60):
        page.keyboard.press(key)
        if target.evaluate("(node) => node === document.activeElement"):
            return
    raise AssertionError(f"no tab reaches {target}")


def test_menu_views_and_theme_need_no_mouse(daemon, visitor):
    page = visitor.open(daemon, level="control")
    expect(page.get_by_role("grid")).to_be_focused()
    for name, heading in [("Deliveries", "Deliveries"), ("Status", "Status"), ("All items", "Items")]:
        tab_to(page, page.get_by_role("button", name="Menu"), "Shift+Tab")
        page.keyboard.press("Enter")
        tab_to(page, page.get_by_role("link", name=name, exact=True))
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_attached()
        expect(page.locator("#menu")).to_be_hidden()
    tab_to(page, page.get_by_role("button", name="Menu"), "Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Light"))
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()


def test_search_groups_and_order_need_no_mouse(daemon, visitor):
    page = visitor.open(daemon)
    expect(row(page, "Green tea")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Running"), "Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator(".item")).to_have_count(2)
    page.keyboard.press("Space")
    tab_to(page, page.get_by_role("combobox", name="Order"), "Shift+Tab")
    page.keyboard.type("by n")
    expect(page.locator(".item .name a").first).to_have_text("Daily stand-up")
    assert "sort=name" in page.url


def test_start_lap_and_the_wall_need_no_mouse(daemon, visitor):
    page = visitor.open(daemon, "?id=run", level="control")
    expect(page.get_by_role("heading", name="Workout")).to_be_visible()
    # Before the page knows who is signed in, the keys of the controls do nothing.
    expect(page.get_by_role("button", name="Lap")).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator("#toast")).to_contain_text("lap 1")
    page.keyboard.press("x")
    expect(page.locator(".tell .state")).to_have_text("paused")
    page.keyboard.press("s")
    expect(page.locator(".tell .state")).to_have_text("running")
    page.keyboard.press("w")
    expect(page.locator(".single .rings")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".single .dial")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Workout")).to_be_visible()


def test_adding_needs_no_mouse(stage):
    stage.start(launch=LAUNCH)
    page = stage.page()
    expect(page.get_by_role("grid")).to_be_focused()
    expect(page.get_by_role("link", name="Add", exact=True)).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Add")).to_be_visible()
    tab_to(page, page.get_by_role("radio", name="Event"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Add the timer")).to_be_visible()
    tab_to(page, page.get_by_label("Name"))
    page.keyboard.type("Pizza")
    tab_to(page, page.get_by_label("Minutes", exact=True))
    page.keyboard.press("Control+a")
    page.keyboard.type("12")
    tab_to(page, page.get_by_role("button", name="Add the timer"))
    page.keyboard.press("Enter")
    assert stage.added("pizza")["total"]["seconds"] == 720


def test_a_definition_is_found_changed_and_saved_without_a_mouse(stage):
    stage.start(launch=LAUNCH)
    page = stage.page()
    expect(row(page, "Product launch")).to_be_visible()
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="Text of launch.yaml")).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# By hand.\n")
    page.keyboard.press("Control+s")
    stage.until(lambda: stage.read("launch.yaml") == "# By hand.\n" + LAUNCH, "the saved text")


def test_a_delivery_is_retried_without_a_mouse(stage):
    stage.start(sinks=SINKS)
    stage.fire("meal")
    stage.flag.touch()
    page = stage.page("?deliveries&state=dead")
    delivery = page.locator("li.delivery", has_text="meal")
    expect(delivery).to_be_visible()
    tab_to(page, delivery.locator("summary").first)
    page.keyboard.press("Enter")
    tab_to(page, delivery.get_by_role("button", name=re.compile("^Retry")))
    page.keyboard.press("Enter")
    expect(page.get_by_text("No such deliveries.")).to_be_visible()


def test_a_delivery_is_discarded_without_a_mouse(stage):
    stage.start(sinks=SINKS)
    stage.fire("alarm")
    page = stage.page("?deliveries")
    delivery = page.locator("li.delivery", has_text="alarm")
    expect(delivery).to_be_visible()
    tab_to(page, delivery.locator("summary").first)
    page.keyboard.press("Enter")
    tab_to(page, delivery.get_by_role("button", name="Discard"))
    page.keyboard.press("Enter")
    expect(delivery.locator(".state")).to_have_text("discarded")


def test_the_mute_of_everything_is_ended_and_the_files_are_read_without_a_mouse(stage):
    stage.start(launch=LAUNCH)
    stage.daemon.run("mute", "--for", "1h")
    page = stage.page("?status", level="control")
    for name, words in [("End the mute", "nothing is muted any more"), ("Read the files again", "all in force")]:
        expect(page.get_by_role("button", name=name)).to_be_visible()
        tab_to(page, page.get_by_role("button", name=name))
        page.keyboard.press("Enter")
        expect(page.locator("#toast")).to_contain_text(words)
    assert "mute" not in stage.status()


@pytest.mark.parametrize("way", ["Go on with my text", "Take the text of the file"])
def test_the_ways_out_of_a_conflict_need_no_mouse(stage, visitor, way):
    visitor.expect("status of 412")
    stage.start(launch=LAUNCH)
    page = stage.page("?edit=launch")
    text = page.get_by_role("textbox", name="Text of launch.yaml")
    expect(text).to_be_focused()
    page.keyboard.press("Control+End")
    # The answer to a check that comes later would draw the conflict anew, and its buttons would lose the focus.
    with page.expect_response(lambda answer: (answer.request.post_data or "").endswith("# mine")):
        page.keyboard.type("# mine")
    theirs = LAUNCH.replace("Product", "Great")
    stage.write("launch.yaml", theirs)
    conflict = page.get_by_role("region", name="Changed by another")
    expect(conflict).to_be_visible()
    tab_to(page, page.get_by_role("button", name=way), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(conflict).to_have_count(0)
    expect(text).to_be_focused()
    expect(text).to_have_value(theirs if way.startswith("Take") else LAUNCH + "# mine")


def test_a_file_is_begun_without_a_mouse(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=")
    expect(page.get_by_label("Name")).to_be_visible()
    tab_to(page, page.get_by_label("Name"))
    page.keyboard.type("tea.yaml")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Text of tea.yaml")).to_be_visible()
    tab_to(page, page.get_by_role("textbox", name="Text of tea.yaml"))
    page.keyboard.type("timers: { tea: { duration: 4m } }\n")
    page.keyboard.press("Control+s")
    stage.added("tea")


def test_logging_out_needs_no_mouse(stage, visitor):
    # The daemon cuts the stream of a session that ends.
    visitor.expect("status of 401", *CUT)
    stage.start(launch=LAUNCH)
    page = stage.page(level="control")
    expect(row(page, "Product launch")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Menu"), "Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, page.locator("#menu").get_by_role("button", name="control"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Level control.")
    tab_to(page, page.get_by_role("button", name="Log out"), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
