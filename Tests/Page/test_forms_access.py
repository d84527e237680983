"""Everybody can use the forms: other preferences, and what a screen reader finds."""

import pytest
from playwright.sync_api import expect

from accessibility import examine
from reading import recorded
from stage import LAUNCH, SINKS

# What depends on the moment or on the machine, and what stands for it in the records.
MOMENTS = [
    (r"/tmp/\S+", "PATH"),
    (r"http://\S+", "URL"),
    (r"\b[0-9a-f]{16,}\b", "HASH"),
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d+ \w+ \d{4}, ", ""),
    (r"\b\d\d:\d\d(:\d\d)?\b", "TIME"),
    (r"\d[\d.]* (s|min)\b", "LENGTH"),
    (r"(term: (version|process|viewers|zone data)\n +- definition: ).*", r"\1IT"),
]


@pytest.mark.parametrize("options", [{"forced_colors": "active"}, {"viewport": {"width": 320, "height": 640}}])
def test_axe_finds_nothing_in_any_form_for_other_preferences(stage, options):
    stage.start(launch=LAUNCH)
    states = {
        "?deliveries": "No such deliveries.", "?status": "All is well.", "?new=event": "Add the event",
        "?file=": "A new file", "?file=launch.yaml": "As in the file",
    }
    for query, words in states.items():
        page = stage.page(query, **options)
        expect(page.locator("main")).to_contain_text(words)
        assert examine(page) == []


def test_what_a_screen_reader_finds_in_deliveries_is_recorded(stage):
    stage.start(sinks=SINKS)
    stage.fire("tea", "meal")
    page = stage.page("?deliveries")
    # It is drawn anew when its item comes, with the zone of that.
    row = page.locator("li.delivery", has_text="meal").first
    expect(row).to_contain_text("yours")
    row.locator("summary").first.click()
    recorded("deliveries", page.locator("main"), MOMENTS)


def test_what_a_screen_reader_finds_in_the_status_is_recorded(stage):
    stage.start(sinks=SINKS)
    stage.fire("alarm")
    page = stage.page("?status")
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    recorded("status", page.locator("main"), MOMENTS)


def test_what_a_screen_reader_finds_when_nobody_is_signed_in_is_recorded(stage):
    stage.start(launch=LAUNCH)
    page = stage.page(level=None)
    expect(page.get_by_role("dialog")).to_be_visible()
    recorded("sign-in", page.get_by_role("dialog"), MOMENTS)


@pytest.mark.parametrize("kind", ["event", "timer", "stopwatch"])
def test_what_a_screen_reader_finds_in_the_form_to_add_is_recorded(stage, kind):
    stage.start(launch=LAUNCH)
    page = stage.page(f"?new={kind}")
    page.get_by_text("More").click()
    recorded(f"add-{kind}", page.locator("main"), MOMENTS)


def test_what_a_screen_reader_finds_in_the_editor_is_recorded(stage, visitor):
    visitor.expect("status of 422")
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").fill(LAUNCH.replace("remind", "remnd"))
    expect(page.get_by_role("link", name="did you mean")).to_be_visible()
    recorded("editor", page.locator("main"), MOMENTS)


def test_what_a_screen_reader_finds_when_a_file_was_changed_by_another_is_recorded(stage, visitor):
    visitor.expect("status of 412")
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    stage.write("launch.yaml", LAUNCH.replace("Product", "Great"))
    expect(page.get_by_role("region", name="Changed by another")).to_contain_text("Great launch")
    recorded("conflict", page.get_by_role("region", name="Changed by another"), MOMENTS)
