"""Adding events, timers and stopwatches."""

import re

import pytest
from playwright.sync_api import expect

from reading import late
from stage import LAUNCH


@pytest.mark.proxies
def test_an_event_is_added_to_a_file(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=event")
    page.get_by_label("Name").fill("Summer party")
    page.get_by_label("Date").fill("2098-07-01")
    page.get_by_label("Time", exact=True).fill("18:30")
    page.get_by_role("button", name="1 day", exact=True).click()
    page.get_by_role("button", name="5 minutes").click()
    page.get_by_label("Description").fill("With <b>lanterns</b>")
    expect(page.locator(".preview")).to_contain_text("summer-party")
    stage.check_usable(page)
    page.get_by_role("button", name="Add the event").click()
    expect(page).to_have_url(re.compile("id=summer-party"))
    item = stage.added("summer-party")
    assert item["due"].startswith("2098-07-01T16:30:00"), item["due"]
    assert item["description"] == "With <b>lanterns</b>"
    assert item["next-reminder"]["lead"] == "1 day before", item["next-reminder"]


def test_a_recurrence_is_added(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=event")
    page.get_by_label("Name").fill("Stand-up")
    page.get_by_label("Repeats").select_option("cron")
    page.get_by_label("Cron expression").fill("30 9 * * MON-FRI")
    page.get_by_role("button", name="Add the event").click()
    assert stage.added("stand-up")["timezone"] == "Europe/Berlin"


def test_the_three_fields_of_a_length_have_their_ranges(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer")
    page.get_by_label("Name").fill("Roast")
    for name, wrong, right in [("Hours", "24", "1"), ("Minutes", "60", "59"), ("Seconds", "60", "0")]:
        page.get_by_label(name).fill(wrong)
        page.get_by_role("button", name="Add the timer").click()
        expect(page.get_by_label(name)).to_be_focused()
        expect(page.get_by_label(name)).to_have_attribute("aria-invalid", "true")
        page.get_by_label(name).fill(right)
    page.get_by_role("button", name="Add the timer").click()
    assert stage.added("roast")["total"]["seconds"] == 7140


def test_another_lead_time_is_taken(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer")
    page.get_by_label("Name").fill("Roast")
    page.get_by_label("Hours").fill("2")
    page.get_by_role("button", name="other").click()
    page.get_by_label("Another one").fill("45 minutes")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="45 minutes")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Add the timer").click()
    assert stage.added("roast")["next-reminder"]["lead"] == "45 minutes before"


def test_control_adds_a_timer_without_a_file(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer", level="control")
    page.get_by_label("Name").fill("Tea")
    page.get_by_label("Minutes").fill("4")
    expect(page.get_by_label("Description")).to_have_count(0)
    stage.check_usable(page)
    page.get_by_role("button", name="Add the timer").click()
    assert stage.added("tea")["file"] is None


def test_a_stopwatch_is_added(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=stopwatch")
    page.get_by_label("Name").fill("Workout")
    page.get_by_role("button", name="30 minutes").click()
    page.get_by_role("button", name="Add the stopwatch").click()
    assert stage.added("workout")["state"] == "idle"


def test_a_check_is_given_up_when_the_definition_is_added(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=stopwatch")
    page.route("**/definitions?dry-run=true", lambda _: None)

    def is_last(request):
        """Whether it checks the last change: that gives up the check before it."""
        return "dry-run" in request.url and "30 minutes" in request.post_data

    with page.expect_request(is_last):
        page.get_by_label("Name").fill("Workout")
        page.get_by_role("button", name="30 minutes").click()
    # An answer that comes later would be that the id is in use.
    with page.expect_event("requestfailed", is_last):
        page.get_by_role("button", name="Add the stopwatch").click()
    assert stage.added("workout")["state"] == "idle"


def test_files_to_choose_from_that_come_late_disturb_nothing(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer", script=late("files"))
    page.get_by_role("button", name="Add the timer").click()
    page.get_by_role("button", name="other").click()
    page.evaluate("letCome()")
    expect(page.locator("#field-file option")).to_have_text(["The usual one", "launch.yaml"])
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Another one")).to_be_visible()


def test_what_is_filled_in_survives_a_reload(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer")
    page.get_by_label("Name").fill("Roast")
    page.get_by_label("Minutes").fill("50")
    page.get_by_role("button", name="5 minutes").click()
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Roast")
    expect(page.get_by_label("Minutes")).to_have_value("50")
    expect(page.get_by_role("button", name="5 minutes")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_label("Name")).to_have_value("")


def test_an_id_in_use_is_refused_in_words(stage, visitor):
    visitor.expect("status of 409")
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer")
    page.get_by_label("Name").fill("Launch")
    page.get_by_label("Minutes").fill("5")
    page.get_by_role("button", name="Add the timer").click()
    expect(page.locator(".preview")).to_contain_text("launch.yaml:3")
    expect(page.get_by_label("Name")).to_have_value("Launch")
