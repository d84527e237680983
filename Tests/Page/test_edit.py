"""Editing files: problems, what would change, and no text is ever lost."""

import pytest
from playwright.sync_api import expect

from stage import LAUNCH


def test_a_problem_is_marked_and_listed_with_a_link_to_its_place(stage, visitor):
    visitor.expect("status of 422")
    stage.start(launch=LAUNCH)
    page = stage.page("?edit=launch")
    text = page.get_by_role("textbox", name="Text of launch.yaml")
    expect(text).to_have_value(LAUNCH)
    text.fill(LAUNCH.replace("remind", "remnd"))
    problem = page.get_by_role("link", name="did you mean 'remind'?")
    expect(problem).to_contain_text("7:5")
    expect(page.locator(".copy mark.error")).to_have_text("remnd")
    expect(text).to_have_attribute("aria-invalid", "true")
    stage.check_usable(page)
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
    stage.check_usable(page)
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-state")).to_have_text("As in the file")
    assert stage.read("launch.yaml") == changed
    stage.until(lambda: stage.item("launch")["due"].startswith("2099-12-01T09:00"), "the change")


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


def test_a_definition_is_removed_from_its_file_and_the_comments_of_the_others_stay(stage):
    launch = """\
  # Work.
  launch:
    at: 2099-12-01 09:00  # Not earlier.
    name: Product launch
"""
    rest = """\
# What comes.
events:
{}  # Pleasure.
  party:  # Loud.
    # At night.
    at: 2099-12-01 20:00
# The end.
"""
    stage.start(all=rest.format(launch))
    page = stage.page("?id=launch")
    expect(page.get_by_role("heading", name="Product launch")).to_be_visible()
    # Before the page knows who is signed in, the key does nothing.
    expect(page.get_by_role("button", name="Remove")).to_be_visible()
    question = page.get_by_role("dialog", name="Remove Product launch from")
    for answer in ("n", "y"):
        page.keyboard.press("Delete")
        expect(question).to_contain_text("all.yaml")
        page.keyboard.press(answer)
        expect(question).to_have_count(0)
        if answer == "n":
            expect(page.locator("#toast")).to_have_text("nothing was done")
            assert stage.read("all.yaml") == rest.format(launch)
    expect(page.locator("#toast")).to_have_text("launch: removed")
    assert stage.read("all.yaml") == rest.format("")
    stage.until(lambda: stage.item("launch") is None, "the removal")
    page.goto(stage.daemon.url)
    expect(page.locator(".item .name a")).to_have_text(["party"])


@pytest.mark.proxies
def test_a_changed_file_is_not_overwritten(stage, visitor):
    visitor.expect("status of 412")
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    text = page.get_by_role("textbox")
    expect(text).to_have_value(LAUNCH)
    theirs, mine = LAUNCH + "# theirs\n", LAUNCH + "# mine\n"
    # A text that nobody has changed would follow the file.
    text.fill(mine)
    stage.write("launch.yaml", theirs)
    page.keyboard.press("Control+s")
    conflict = page.get_by_role("region", name="Changed by another")
    expect(conflict).to_contain_text("# theirs")
    expect(conflict).to_contain_text("# mine")
    assert stage.read("launch.yaml") == theirs
    expect(text).to_have_value(mine)
    stage.check_usable(page)
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
    page.goto(stage.daemon.url + "?file=launch.yaml")
    expect(page.get_by_role("region", name="Changed by another")).to_contain_text("# theirs")
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine")
    page.get_by_role("button", name="Go on with my text").click()
    expect(page.get_by_role("region", name="Changed by another")).to_have_count(0)


def test_an_unchanged_text_follows_its_file(stage, visitor):
    # The check of the former text may be on its way.
    visitor.expect("status of 412")
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
    stage.check_usable(page)
    page.get_by_label("Name").fill("tea.yaml")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("textbox", name="Text of tea.yaml").fill("timers:\n  tea: { duration: 4m }\n")
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-state")).to_have_text("As in the file")
    stage.added("tea")


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
    stage.until(lambda: stage.read("launch.yaml") == LAUNCH + "    color: red\n", "the file")


def test_names_in_any_direction_keep_to_themselves(stage):
    name = "\u05d9\u05d5\u05dd \u05d4\u05d5\u05dc\u05d3\u05ea"
    stage.start(launch=LAUNCH.replace("Product launch", f"'{name} <script>alert(1)</script>'"))
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("    color: red")
    changes = page.get_by_role("region", name="What would change")
    expect(changes.locator("[dir=auto]").first).to_contain_text("<script>")
    expect(page.locator("main script")).to_have_count(0)


def test_a_file_that_changes_beside_an_unsaved_text_is_compared_at_once(stage, visitor):
    visitor.expect("status of 412")
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    expect(page.locator("#edit-state")).to_have_text("Not saved yet")
    stage.write("launch.yaml", LAUNCH.replace("Product", "Great"))
    expect(page.get_by_role("region", name="Changed by another")).to_contain_text("Great launch")
    expect(page.locator("textarea")).to_have_value(LAUNCH + "# mine")


def test_the_comparison_of_two_texts_has_every_line_of_both(stage):
    stage.start(launch=LAUNCH)
    page = stage.page()
    # Of any two texts, the lines without + are the one and those without - the other.
    wrong = page.evaluate("""async () => {
      const { difference } = await import(new URL("difference.js", document.querySelector("script").src));
      const text = (length) => Array.from({ length }, () => "abc"[Math.floor(Math.random() * 3)]).join("\\n");
      for (let count = 0; count < 500; count += 1) {
        const [one, other] = [text(count % 30), text(count % 23)];
        const rows = difference(one, other);
        const without = (sign) => rows.filter((row) => row.sign !== sign).map((row) => row.text).join("\\n");
        if (without("+") !== one || without("-") !== other) return [one, other];
      }
      return null;
    }""")
    assert wrong is None


def test_a_text_is_checked_once_after_the_last_key(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    expect(page.get_by_role("region", name="What would change")).to_contain_text("Nothing.")
    checks = []
    page.on("request", lambda request: checks.append(request.post_data) if request.method == "PUT" else None)
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("    color: red")
    expect(page.get_by_role("region", name="What would change")).to_contain_text("its texts")
    assert checks == [LAUNCH + "    color: red"]


def test_lines_end_as_they_did(stage):
    stage.start(launch=LAUNCH)
    stage.write("dos.yaml", "timers:\r\n  tea: { duration: 4m }\r\n")
    stage.added("tea")
    page = stage.page("?file=dos.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("  egg: { duration: 6m }")
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-state")).to_have_text("As in the file")
    assert stage.read("dos.yaml") == "timers:\r\n  tea: { duration: 4m }\r\n  egg: { duration: 6m }"


def test_a_text_that_was_put_aside_survives_a_reload(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?file=launch.yaml")
    page.get_by_role("textbox").press("Control+End")
    page.keyboard.type("# mine")
    page.get_by_role("button", name="Undo all").click()
    page.reload()
    expect(page.get_by_role("textbox")).to_have_value(LAUNCH)
    page.get_by_role("button", name="Bring my text back").click()
    expect(page.get_by_role("textbox")).to_have_value(LAUNCH + "# mine")
    expect(page.get_by_role("button", name="Bring my text back")).to_have_count(0)
