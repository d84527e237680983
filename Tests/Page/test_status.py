"""The status: what needs a person, and what `tminus status` tells."""

from playwright.sync_api import expect

from stage import LAUNCH, SINKS


def test_the_status_tells_what_the_command_tells(stage):
    stage.start(sinks=SINKS, launch=LAUNCH)
    stage.fire("alarm")
    stage.write("notes.txt", "no definitions")
    told = stage.status()
    page = stage.page("?status")
    shown = page.locator("main")
    for words in [told["version"], str(told["process-id"]), told["config"], told["store"], "4 definitions, all"]:
        expect(shown).to_contain_text(words)
    for file in told["files"]:
        expect(shown).to_contain_text(file["path"])
    expect(shown).to_contain_text("1 dead")
    stage.check_usable(page)


def test_a_button_keeps_the_focus_when_the_status_changes(stage):
    stage.start(launch=LAUNCH)
    page = stage.page("?status", level="control")
    button = page.get_by_role("button", name="Read the files again")
    button.focus()
    stage.write("more.yaml", "timers: {tea: {duration: 4m}}\n")
    expect(page.locator("main")).to_contain_text("2 definitions")
    expect(button).to_be_focused()


def test_what_needs_a_person_goes_away_when_it_is_repaired(stage, visitor):
    visitor.expect("status of 422")
    stage.start(launch=LAUNCH)
    page = stage.page("?status")
    expect(page.get_by_text("All is well.")).to_be_visible()
    stage.write("launch.yaml", LAUNCH.replace("remind", "remnd"))
    expect(page.get_by_role("heading", name="What needs a person")).to_be_visible()
    expect(page.locator("main")).to_contain_text("did you mean 'remind'?")
    page.get_by_role("link", name="7:5").click()
    expect(page.get_by_role("textbox")).to_be_focused()
    # The editor has its answer. One that is on its way would be asked of the text that is written next.
    expect(page.get_by_role("region", name="Problems")).to_contain_text("did you mean 'remind'?")
    page.go_back()
    stage.write("launch.yaml", LAUNCH)
    expect(page.get_by_text("All is well.")).to_be_visible()


def test_the_mute_of_everything_is_ended(stage):
    stage.start(launch=LAUNCH)
    stage.daemon.run("mute", "--for", "1h", "--note", "fire drill")
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
    expect(page.locator("main")).not_to_contain_text(str(stage.daemon.config))
    expect(page.locator("main")).not_to_contain_text("launch.yaml")
    expect(page.get_by_role("button", name="Read the files again")).to_have_count(0)
    stage.check_usable(page)


def test_what_needs_a_person_is_seen_before_anybody_asks(stage, visitor):
    stage.start(sinks=SINKS, launch=LAUNCH)
    page = stage.page(level="control")
    reader = stage.page("?id=tea", level="read")
    for one in (page, reader):
        expect(one.locator(".news")).to_have_text("live")
        expect(one.get_by_role("button", name="Menu", exact=True)).to_be_visible()
        assert one.locator(".sign:visible").count() == 0 and not one.title().startswith("!")
    stage.fire("alarm")
    expect(page).to_have_title("! tminus")
    expect(reader).to_have_title("! Green tea · tminus")
    for one in (page, reader):
        one.get_by_role("button", name="Menu: something needs a person").click()
        # The sign on the button, and the one beside the link.
        expect(one.locator(".sign:visible")).to_have_text(["!", "!"])
        expect(one.get_by_role("link", name="Status something needs a person")).to_be_visible()
        stage.check_usable(one)
    stage.daemon.run("deliveries", "discard", "--sink", "bad")
    expect(reader).to_have_title("Green tea · tminus")
    expect(page).to_have_title("tminus")
    expect(page.locator(".sign:visible")).to_have_count(0)
    # A file that is not in force is a problem too. Only who may control is told of it.
    stage.write("launch.yaml", LAUNCH.replace("remind", "remnd"))
    expect(page).to_have_title("! tminus")
    expect(page.get_by_role("link", name="Status something needs a person")).to_be_visible()
    stage.write("launch.yaml", LAUNCH)
    expect(page).to_have_title("tminus")
