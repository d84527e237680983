"""Deliveries: what each sink answered, retry and discard."""

import re

from playwright.sync_api import expect

from reading import late
from stage import SINKS


def row(page, words):
    return page.locator("li.delivery", has_text=words)


def opener(page, words):
    """What opens a row, once its item has come with its zone: a click is lost while a row is drawn anew."""
    expect(row(page, words)).to_contain_text("yours")
    return row(page, words).locator("summary").first


def test_deliveries_tell_what_each_sink_answered(stage):
    stage.start(sinks=SINKS)
    stage.fire("tea")
    stage.fire("meal")
    page = stage.page("?deliveries")
    expect(row(page, "tea")).to_contain_text("delivered")
    expect(row(page, "meal")).to_contain_text("dead")
    opener(page, "meal").click()
    expect(row(page, "meal")).to_contain_text("exit status 3")
    # A text that looks like an element is a text.
    expect(row(page, "meal").get_by_label("errors of attempt 1")).to_have_text("<img src=x onerror=alert(1)>")
    expect(row(page, "meal").get_by_label("output of attempt 1")).to_have_text("looking")
    expect(page.locator("main img")).to_have_count(0)
    stage.check_usable(page)


def test_a_dead_delivery_is_tried_again(stage):
    stage.start(sinks=SINKS)
    stage.fire("meal")
    page = stage.page("?deliveries&state=dead")
    opener(page, "meal").click()
    stage.flag.touch()
    row(page, "meal").get_by_role("button", name="Retry").click()
    expect(page.get_by_text("No such deliveries.")).to_be_visible()
    page.get_by_role("link", name="delivered").click()
    expect(row(page, "meal")).to_contain_text("delivered")


def test_a_dead_delivery_is_discarded(stage):
    stage.start(sinks=SINKS)
    stage.fire("alarm")
    page = stage.page("?deliveries")
    opener(page, "alarm").click()
    row(page, "alarm").get_by_role("button", name="Discard").click()
    expect(row(page, "alarm").locator(".state")).to_have_text("discarded")
    assert stage.status()["deliveries"]["dead"] == 0


def test_discarding_all_of_a_sink_asks_first(stage):
    stage.start(sinks=SINKS)
    stage.fire("alarm", "alarm")
    page = stage.page("?deliveries&sink=bad")
    page.get_by_role("button", name="Discard all").click()
    expect(page.get_by_role("dialog")).to_contain_text("to bad")
    page.keyboard.press("Escape")
    assert stage.status()["deliveries"]["dead"] == 2
    page.get_by_role("button", name="Discard all").click()
    page.get_by_role("button", name="Discard them").click()
    expect(page.locator("li.delivery .state")).to_have_text(["discarded", "discarded"])
    assert stage.status()["deliveries"]["dead"] == 0


def test_the_state_is_part_of_the_address(stage):
    stage.start(sinks=SINKS)
    stage.fire("tea")
    stage.fire("alarm")
    page = stage.page("?deliveries")
    expect(page.locator("li.delivery")).to_have_count(2)
    page.get_by_role("link", name="dead", exact=True).click()
    expect(page.locator("li.delivery")).to_have_count(1)
    expect(page).to_have_url(re.compile("deliveries&state=dead$"))
    page.go_back()
    expect(page.locator("li.delivery")).to_have_count(2)


def test_a_row_stays_open_and_keeps_the_focus_when_its_item_comes(stage):
    stage.start(sinks=SINKS)
    stage.fire("meal")
    page = stage.page("?deliveries", script=late("items?"))
    summary = row(page, "meal").locator("summary").first
    summary.press("Enter")
    expect(row(page, "meal").locator("details").first).to_have_attribute("open", "")
    page.evaluate("letCome()")
    opener(page, "meal")
    expect(row(page, "meal").locator("details").first).to_have_attribute("open", "")
    expect(summary).to_be_focused()


def test_the_button_for_all_keeps_the_focus_when_deliveries_come(stage):
    stage.start(sinks=SINKS)
    stage.fire("alarm", "alarm")
    page = stage.page("?deliveries&definition=alarm")
    page.get_by_role("button", name="Retry all 2").focus()
    stage.fire("alarm")
    expect(page.get_by_role("button", name="Retry all 3")).to_be_focused()


def test_what_is_open_stays_open_when_deliveries_come(stage):
    stage.start(sinks=SINKS)
    stage.fire("alarm")
    page = stage.page("?deliveries")
    opener(page, "alarm").press("Enter")
    stage.fire("tea")
    expect(page.locator("li.delivery")).to_have_count(2)
    expect(row(page, "alarm").locator("details").first).to_have_attribute("open", "")
    expect(row(page, "alarm").locator("summary").first).to_be_focused()
