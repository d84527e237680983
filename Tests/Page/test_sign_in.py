"""Signing in and out, and what is offered to whom."""

import pytest
from playwright.sync_api import expect

from reading import CUT
from stage import LAUNCH


def test_nobody_gets_further_than_the_dialog(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status", level=None)
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog).to_be_visible()
    stage.check_usable(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    page.get_by_label("Token").fill("no such token")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_label("Token")).to_be_focused()
    page.get_by_label("Token").fill(stage.daemon.token("read"))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("All is well.")).to_be_visible()


@pytest.mark.proxies
def test_a_code_signs_in_and_leaves_the_address(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status" + stage.link("control"), level=None)
    expect(page.get_by_text("All is well.")).to_be_visible()
    assert "code" not in page.url, page.url
    page.reload()
    expect(page.get_by_text("All is well.")).to_be_visible()


def test_a_wall_of_one_item_asks_who_is_there(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?wall&id=launch", level=None)
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    expect(page.locator(".stage")).to_have_text("Nobody is signed in.")
    page.get_by_label("Token").fill(stage.daemon.token("read"))
    page.keyboard.press("Enter")
    expect(page.locator(".single .name")).to_have_text("Product launch")


def test_a_used_code_says_so(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status#code=used", level=None)
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    assert "code" not in page.url, page.url


def test_whoever_may_read_goes_on_after_a_link_that_was_used(daemon, visitor):
    visitor.expect("status of 401")
    for query in ("", "?wall&id=tea"):
        page = visitor.open(daemon, query + "#code=used")
        dialog = page.get_by_role("dialog", name="Sign in")
        expect(dialog.get_by_role("alert")).to_have_text("the token or code is not valid")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_visible()
        # A wrong token takes nothing away either.
        page.get_by_label("Token").fill("no such token")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Token")).to_have_attribute("aria-invalid", "true")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.locator("main")).to_contain_text("Green tea")
        expect(page.locator("html")).to_have_attribute("data-feed", "live")


@pytest.mark.proxies
def test_a_session_that_ends_takes_nothing_away(stage, visitor):
    # The daemon cuts the stream of a session that ends.
    visitor.expect("status of 401", "status of 422", *CUT)
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    stage.end_sessions()
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog).to_be_visible()
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine")
    page.get_by_label("Token").fill(stage.daemon.token("edit"))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine")


def test_logging_out_forgets_what_was_not_saved(stage, visitor):
    # The daemon cuts the stream of a session that ends.
    visitor.expect("status of 401", "status of 422", *CUT)
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    page.get_by_role("button", name="Menu").click()
    page.locator("#menu").get_by_role("button", name="edit").click()
    expect(page.get_by_role("dialog")).to_contain_text("Level edit.")
    stage.check_usable(page)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_view_that_the_level_does_not_allow_is_not_offered(stage):
    stage.start(launch=LAUNCH)
    for level, query in [("read", "?deliveries"), ("read", "?new=timer"), ("control", "?file=launch.yaml")]:
        page = stage.page(query, level=level)
        expect(page.locator("main")).to_contain_text("Product launch")
        expect(page.get_by_role("textbox", name="Text of")).to_have_count(0)
    page = stage.page("?new=event", level="control")
    expect(page.get_by_role("radio", name="Timer")).to_be_checked()
    expect(page.get_by_role("radio", name="Event")).to_have_count(0)


def test_a_token_of_level_edit_says_why_it_does_not_edit(daemons, visitor):
    page = visitor.open(daemons({"launch.yaml": LAUNCH}), "?file=launch.yaml", level="edit")
    expect(page.get_by_role("link", name="Product launch")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.locator("#menu").get_by_role("button", name="control").click()
    expect(page.get_by_role("dialog")).to_contain_text("--allow-edit")
