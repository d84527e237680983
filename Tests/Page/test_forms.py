"""The views of the page that are not list, item or wall: signing in, deliveries, status, adding and editing."""

import re

from playwright.sync_api import expect

from stage import check_accessible, until

# Sinks that answer at once: one that works, one that works as soon as there is a file, and one that never does.
SINKS = """\
sinks:
  good: {shell: 'echo all is well'}
  picky: {shell: 'echo looking; test -e ready || { echo "<img src=x onerror=alert(1)>" >&2; exit 3; }', retry: {limit: 1}}
  bad: {shell: 'exit 7', retry: {limit: 1}}
timers:
  tea: {name: Green tea, duration: 4m, start: manual, on-expiry: [good]}
  meal: {duration: 1h, start: manual, on-expiry: [picky]}
  alarm: {duration: 1h, start: manual, on-expiry: [bad]}
"""

LAUNCH = """\
# The launch, with a comment.
events:
  launch:
    name: Product launch
    at: 2099-12-01 09:00
    timezone: Europe/Berlin
    remind: [1 day]
"""


# Deliveries


def row(page, words):
    return page.locator("li.delivery", has_text=words)


def test_deliveries_tell_what_each_sink_answered(stage):
    stage.start(sinks=SINKS)
    stage.tminus("fire", "tea", "--wait")
    stage.tminus("fire", "meal", "--wait", check=False)
    page = stage.page("?deliveries")
    expect(row(page, "tea")).to_contain_text("delivered")
    expect(row(page, "meal")).to_contain_text("dead")
    row(page, "meal").locator("summary").first.click()
    expect(row(page, "meal")).to_contain_text("exit status 3")
    # A text that looks like an element is a text.
    expect(row(page, "meal").get_by_label("errors of attempt 1")).to_have_text("<img src=x onerror=alert(1)>")
    expect(row(page, "meal").get_by_label("output of attempt 1")).to_have_text("looking")
    expect(page.locator("main img")).to_have_count(0)
    check_accessible(page)


def test_a_dead_delivery_is_tried_again(stage):
    stage.start(sinks=SINKS)
    stage.tminus("fire", "meal", "--wait", check=False)
    page = stage.page("?deliveries&state=dead")
    row(page, "meal").locator("summary").first.click()
    (stage.config / "ready").touch()
    (stage.home / "ready").touch()
    row(page, "meal").get_by_role("button", name="Retry").click()
    expect(page.get_by_text("No such deliveries.")).to_be_visible()
    page.get_by_role("link", name="delivered").click()
    expect(row(page, "meal")).to_contain_text("delivered")


def test_a_dead_delivery_is_discarded(stage):
    stage.start(sinks=SINKS)
    stage.tminus("fire", "alarm", "--wait", check=False)
    page = stage.page("?deliveries")
    row(page, "alarm").locator("summary").first.click()
    row(page, "alarm").get_by_role("button", name="Discard").click()
    expect(row(page, "alarm").locator(".state")).to_have_text("discarded")
    assert stage.status()["deliveries"]["dead"] == 0


def test_discarding_all_of_a_sink_asks_first(stage):
    stage.start(sinks=SINKS)
    for _ in range(2):
        stage.tminus("fire", "alarm", "--wait", check=False)
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
    stage.tminus("fire", "tea", "--wait")
    stage.tminus("fire", "alarm", "--wait", check=False)
    page = stage.page("?deliveries")
    expect(page.locator("li.delivery")).to_have_count(2)
    page.get_by_role("link", name="dead", exact=True).click()
    expect(page.locator("li.delivery")).to_have_count(1)
    expect(page).to_have_url(re.compile("deliveries&state=dead$"))
    page.go_back()
    expect(page.locator("li.delivery")).to_have_count(2)


def test_what_is_open_stays_open_when_deliveries_come(stage):
    stage.start(sinks=SINKS)
    stage.tminus("fire", "alarm", "--wait", check=False)
    page = stage.page("?deliveries")
    row(page, "alarm").locator("summary").first.press("Enter")
    stage.tminus("fire", "tea", "--wait")
    expect(page.locator("li.delivery")).to_have_count(2)
    expect(row(page, "alarm").locator("details").first).to_have_attribute("open", "")
    expect(row(page, "alarm").locator("summary").first).to_be_focused()


# Status


def test_the_status_tells_what_the_command_tells(stage):
    stage.start(sinks=SINKS, launch=LAUNCH)
    stage.tminus("fire", "alarm", "--wait", check=False)
    stage.write("notes.txt", "no definitions")
    told = stage.status()
    page = stage.page("?status")
    shown = page.locator("main")
    for words in [told["version"], str(told["process-id"]), told["config"], told["store"], "4 definitions, all in force"]:
        expect(shown).to_contain_text(words)
    for file in told["files"]:
        expect(shown).to_contain_text(file["path"])
    expect(shown).to_contain_text("1 dead letter")
    check_accessible(page)


def test_what_needs_a_person_goes_away_when_it_is_repaired(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status")
    expect(page.get_by_text("All is well.")).to_be_visible()
    stage.write("launch.yaml", LAUNCH.replace("remind", "remnd"))
    expect(page.get_by_role("heading", name="What needs a person")).to_be_visible()
    expect(page.locator("main")).to_contain_text("did you mean 'remind'?")
    page.get_by_role("link", name="7:5").click()
    expect(page.get_by_role("textbox")).to_be_focused()
    page.go_back()
    stage.write("launch.yaml", LAUNCH)
    expect(page.get_by_text("All is well.")).to_be_visible()


def test_the_mute_of_everything_is_ended(stage):
    stage.start(launch=LAUNCH)
    stage.tminus("mute", "--for", "1h", "--note", "fire drill")
    page = stage.page("?status", level="control")
    expect(page.locator("main")).to_contain_text("fire drill")
    page.get_by_role("button", name="End the mute").click()
    expect(page.get_by_role("button", name="End the mute")).to_have_count(0)
    assert "mute" not in stage.status()


def test_the_files_are_read_again(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status", level="control")
    page.get_by_role("button", name="Read the files again").click()
    expect(page.locator("#toast")).to_contain_text("1 definition, all in force")


def test_a_reader_is_told_no_path(stage):
    stage.start(launch=LAUNCH.replace("remind", "remnd"))
    page = stage.page("?status", level="read")
    expect(page.get_by_role("heading", name="What needs a person")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(str(stage.config))
    expect(page.locator("main")).not_to_contain_text("launch.yaml")
    expect(page.get_by_role("button", name="Read the files again")).to_have_count(0)
    check_accessible(page)


# Signing in


def test_nobody_gets_further_than_the_dialog(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status", level=None)
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog).to_be_visible()
    check_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    page.get_by_label("Token").fill("no such token")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_label("Token")).to_be_focused()
    page.get_by_label("Token").fill(stage.token("read"))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("All is well.")).to_be_visible()


def test_a_code_signs_in_and_leaves_the_address(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status", level="control")
    expect(page.get_by_text("All is well.")).to_be_visible()
    assert "code" not in page.url, page.url
    page.reload()
    expect(page.get_by_text("All is well.")).to_be_visible()


def test_a_used_code_says_so(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status#code=used", level=None)
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    assert "code" not in page.url, page.url


def test_a_session_that_ends_takes_nothing_away(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    stage.end_sessions()
    page.keyboard.type(" and mine again")
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog).to_be_visible()
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine and mine again")
    page.get_by_label("Token").fill(stage.token("edit"))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine and mine again")


def test_logging_out_forgets_what_was_not_saved(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    page.get_by_role("button", name="Menu").click()
    page.locator("#menu").get_by_role("button", name="edit").click()
    expect(page.get_by_role("dialog")).to_contain_text("Level edit.")
    check_accessible(page)
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


# Adding


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
    check_accessible(page)
    page.get_by_role("button", name="Add the event").click()
    expect(page).to_have_url(re.compile("id=summer-party"))
    until(lambda: stage.item("summer-party"), "the event")
    item = stage.item("summer-party")
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
    until(lambda: stage.item("stand-up"), "the event")
    assert stage.item("stand-up")["timezone"] == "Europe/Berlin"


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
    until(lambda: stage.item("roast"), "the timer")
    assert stage.item("roast")["total"]["seconds"] == 7140


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
    until(lambda: stage.item("roast"), "the timer")
    assert stage.item("roast")["next-reminder"]["lead"] == "45 minutes before"


def test_control_adds_a_timer_without_a_file(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer", level="control")
    page.get_by_label("Name").fill("Tea")
    page.get_by_label("Minutes").fill("4")
    expect(page.get_by_label("Description")).to_have_count(0)
    check_accessible(page)
    page.get_by_role("button", name="Add the timer").click()
    until(lambda: stage.item("tea"), "the timer")
    assert stage.item("tea")["file"] is None


def test_a_stopwatch_is_added(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=stopwatch")
    page.get_by_label("Name").fill("Workout")
    page.get_by_role("button", name="30 minutes").click()
    page.get_by_role("button", name="Add the stopwatch").click()
    until(lambda: stage.item("workout"), "the stopwatch")
    assert stage.item("workout")["state"] == "idle"


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


def test_an_id_in_use_is_refused_in_words(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?new=timer")
    page.get_by_label("Name").fill("Launch")
    page.get_by_label("Minutes").fill("5")
    page.get_by_role("button", name="Add the timer").click()
    expect(page.locator(".preview")).to_contain_text("launch.yaml:3")
    expect(page.get_by_label("Name")).to_have_value("Launch")


# Editing


def test_a_problem_is_marked_and_listed_with_a_link_to_its_place(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?edit=launch")
    text = page.get_by_role("textbox", name="Text of launch.yaml")
    expect(text).to_have_value(LAUNCH)
    text.fill(LAUNCH.replace("remind", "remnd"))
    problem = page.get_by_role("link", name="did you mean 'remind'?")
    expect(problem).to_contain_text("7:5")
    expect(page.locator(".copy mark.error")).to_have_text("remnd")
    expect(text).to_have_attribute("aria-invalid", "true")
    check_accessible(page)
    problem.focus()
    page.keyboard.press("Enter")
    expect(text).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "remnd"
    # An error is not written.
    page.keyboard.press("Control+s")
    expect(page.locator("#toast")).to_contain_text("not saved")
    assert stage.read("launch.yaml") == LAUNCH


def test_what_would_change_is_shown_before_it_is_saved(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    changed = LAUNCH.replace("09:00", "10:00").replace("[1 day]", "[1 day, 1 hour]")
    page.get_by_role("textbox").fill(changed)
    changes = page.get_by_role("region", name="What would change")
    expect(changes).to_contain_text("Product launch")
    expect(changes).to_contain_text("1 hour before")
    expect(changes).to_contain_text("moved")
    assert stage.read("launch.yaml") == LAUNCH
    check_accessible(page)
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-state")).to_have_text("As in the file")
    assert stage.read("launch.yaml") == changed
    until(lambda: stage.item("launch")["due"].startswith("2099-12-01T09:00"), "the change")


def test_unsaved_text_survives_a_reload(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    page.reload()
    expect(page.get_by_role("textbox")).to_have_value(LAUNCH + "# mine")
    expect(page.locator("#edit-state")).to_have_text("Not saved yet")
    page.get_by_role("button", name="Undo all").click()
    expect(page.get_by_role("textbox")).to_have_value(LAUNCH)
    page.get_by_role("button", name="Bring my text back").click()
    expect(page.get_by_role("textbox")).to_have_value(LAUNCH + "# mine")


def test_a_changed_file_is_not_overwritten(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    text = page.get_by_role("textbox")
    expect(text).to_have_value(LAUNCH)
    theirs, mine = LAUNCH + "# theirs\n", LAUNCH + "# mine\n"
    stage.write("launch.yaml", theirs)
    text.fill(mine)
    page.keyboard.press("Control+s")
    conflict = page.get_by_role("region", name="Changed by another")
    expect(conflict).to_contain_text("# theirs")
    expect(conflict).to_contain_text("# mine")
    assert stage.read("launch.yaml") == theirs
    expect(text).to_have_value(mine)
    check_accessible(page)
    # Their text is taken, and the own one can come back.
    page.get_by_role("button", name="Take the text of the file").click()
    expect(text).to_have_value(theirs)
    page.get_by_role("button", name="Bring my text back").click()
    expect(text).to_have_value(mine)
    # Whoever has seen both may go on.
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-state")).to_have_text("As in the file")
    assert stage.read("launch.yaml") == mine


def test_a_file_that_changed_while_the_page_was_away_is_compared(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    page.goto("about:blank")
    stage.write("launch.yaml", LAUNCH + "# theirs\n")
    page.goto(f"{stage.url}/?file=launch.yaml")
    expect(page.get_by_role("region", name="Changed by another")).to_contain_text("# theirs")
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine")
    page.get_by_role("button", name="Go on with my text").click()
    expect(page.get_by_role("region", name="Changed by another")).to_have_count(0)


def test_an_unchanged_text_follows_its_file(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    expect(page.get_by_role("textbox")).to_have_value(LAUNCH)
    changed = LAUNCH.replace("Product launch", "Great launch")
    stage.write("launch.yaml", changed)
    expect(page.get_by_role("textbox")).to_have_value(changed)


def test_a_new_file_is_begun(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=")
    page.get_by_label("Name").fill("../evil.yaml")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    check_accessible(page)
    page.get_by_label("Name").fill("tea.yaml")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("textbox", name="Text of tea.yaml").fill("timers:\n  tea: { duration: 4m }\n")
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-state")).to_have_text("As in the file")
    until(lambda: stage.item("tea"), "the timer")


def test_editing_needs_no_mouse(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    text = page.get_by_role("textbox")
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    # Enter keeps the indentation, Tab goes on to what follows.
    page.keyboard.press("Enter")
    page.keyboard.type("color: red")
    expect(text).to_have_value(LAUNCH + "    color: red\n")
    page.keyboard.press("Tab")
    expect(text).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(text).to_be_focused()
    page.keyboard.press("Control+s")
    until(lambda: stage.read("launch.yaml") == LAUNCH + "    color: red\n", "the file")


def test_names_in_any_direction_keep_to_themselves(stage):
    name = "\u05d9\u05d5\u05dd \u05d4\u05d5\u05dc\u05d3\u05ea"
    stage.start(launch=LAUNCH.replace("Product launch", f"'{name} <script>alert(1)</script>'"))
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("    color: red")
    changes = page.get_by_role("region", name="What would change")
    expect(changes.locator("[dir=auto]").first).to_contain_text("<script>")
    expect(page.locator("main script")).to_have_count(0)
