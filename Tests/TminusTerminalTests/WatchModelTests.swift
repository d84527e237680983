import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite struct WatchModelTests {
    private static let now = Fixtures.now

    private static let controls: [(Item, Character, Control?)] = [
        (Fixtures.tea, " ", .pause), (Fixtures.fitting, " ", .resume), (Fixtures.nap, " ", .start(adding: nil)),
        (Fixtures.rent, " ", .start(adding: nil)), (Fixtures.tea, "s", .start(adding: nil)), (Fixtures.nap, "x", .stop),
        (Fixtures.rent, "r", .reset), (Fixtures.workout, "l", .lap), (Fixtures.tea, "+", .start(adding: .seconds(60))),
        (Fixtures.launch, "z", .snooze(for: Control.standardSnooze)), (Fixtures.tea, "u", .unmute),
        (Fixtures.launch, "m", .mute(until: Fixtures.after(.seconds(3_600)))), (Fixtures.tea, "f", nil),
        (Fixtures.tea, "y", nil), (Fixtures.launch, "k", nil), (Fixtures.launch, "j", nil),
    ]

    private static let questions: [(Item, Character, Control, String)] = [
        (Fixtures.tea, "x", .stop, "stop tea?"), (Fixtures.fitting, "r", .reset, "reset Fitting of the second suit?"),
        (Fixtures.launch, "n", .skip, "skip the next occurrence of Product launch?"),
        (Fixtures.standUp, "m", .unmute, "end mute, skip and snooze of Daily stand-up?"),
        (Fixtures.standUp, "u", .unmute, "end mute, skip and snooze of Daily stand-up?"),
    ]

    @Test("what cannot be taken back asks first, for 10 seconds; only y means yes", arguments: questions)
    func losingControlsAsk(item: Item, key: Character, control: Control, text: String) {
        func asked() -> WatchModel {
            var model = Fixtures.model(Fixtures.all, 80, 24, id: item.id)
            let effects = model.step(.key(.character(key)), at: Self.now)
            #expect(effects.isEmpty && model.question?.text == text)
            return model
        }
        for yes: Character in ["y", "Y"] {
            var model = asked()
            let effects = model.step(.key(.character(yes)), at: Fixtures.after(.seconds(9)))
            #expect(effects == [.perform(item.id, control)] && model.question == nil)
        }
        for other: Key in [.character(key), .character("n"), .character("l"), .enter, .escape, .down, .unknown] {
            var model = asked()
            #expect(model.step(.key(other), at: Self.now).isEmpty && model.question == nil)
            #expect(model.selection == item.id && model.page == .large && model.message?.text == "nothing was done")
        }
        var quitting = asked()
        #expect(quitting.step(.key(.character("\u{03}")), at: Self.now) == [.quit])
        var late = asked()
        #expect(late.nextTick(after: Self.now) <= Fixtures.after(.seconds(10)))
        #expect(late.step(.key(.character("y")), at: Fixtures.after(.seconds(10))).isEmpty && late.question == nil)
        var changed = asked()
        var other = item
        other.due = Fixtures.after(.seconds(77))
        _ = changed.step(.feed(.changed(other)), at: Self.now)
        #expect(changed.step(.key(.character("y")), at: Self.now).isEmpty)
        #expect(changed.message?.text == "\(item.id) has changed meanwhile; nothing was done")
    }

    @Test("the question and its keys are shown where messages and the help line are", arguments: [2, 5, 12, 24])
    func questionIsShown(rows: Int) throws {
        var model = Fixtures.model(Fixtures.all, 40, rows, id: "launch")
        _ = model.step(.key(.character("n")), at: Self.now)
        let frame = WatchView(style: Styles.ascii, zones: Fixtures.zones).frame(model, at: Self.now)
        let lines = frame.text(Palette(Styles.ascii))
        #expect(rows < 3 || lines.contains { $0.contains("skip the next occurrence of Prod") && $0.contains("? y/n") })
        #expect(rows < 8 || lines.last?.contains("y yes  any other key no") == true, "\(lines)")
    }

    @Test(arguments: controls) func keysControlTheSelectedItem(item: Item, key: Character, control: Control?) {
        var model = Fixtures.model(Fixtures.all, 80, 24, id: item.id)
        let effects = model.step(.key(.character(key)), at: Self.now)
        #expect(effects == (control.map { [.perform(item.id, $0)] } ?? []))
    }

    @Test func everyActionHasItsOwnKey() {
        let keys = WatchAction.table.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(WatchAction.table.map(\.action)) == Set(WatchAction.allCases))
        for row in WatchAction.table { for key in row.keys { #expect(WatchAction(key) == row.action) } }
    }

    @Test func keysSwitchViews() {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        func press(_ key: Key) -> [WatchEffect] { model.step(.key(key), at: Self.now) }
        #expect(model.page == .rows && model.selection == "stand-up")
        #expect(press(.character("j")).isEmpty && model.selection == "launch")
        #expect(press(.character("k")).isEmpty && model.selection == "stand-up")
        #expect(press(.down).isEmpty && model.selection == "launch")
        #expect(press(.up).isEmpty && model.selection == "stand-up")
        #expect(press(.end).isEmpty && model.selection == "rent")
        #expect(press(.tab).isEmpty && model.selection == "rent")
        #expect(press(.home).isEmpty && model.selection == "stand-up")
        #expect(press(.enter).isEmpty && model.page == .large)
        #expect(model.face == .digital && model.rings == .three)
        for face in [WatchModel.Face.analogue, .digital, .analogue] {
            #expect(press(.character("f")).isEmpty && model.face == face)
        }
        for rings in [WatchModel.RingChoice.total, .three, .total] {
            #expect(press(.character("o")).isEmpty && model.rings == rings)
        }
        #expect(press(.right).isEmpty && model.selection == "launch" && model.page == .large)
        #expect(press(.character("?")).isEmpty && model.page == .help)
        // A key on the help page controls nothing.
        #expect(press(.character("x")).isEmpty && model.page == .large)
        #expect(press(.escape).isEmpty && model.page == .rows)
        #expect(press(.character("\u{0C}")) == [.redraw])
        #expect(press(.character("q")) == [.quit])
    }

    @Test func selectionFollowsItsItem() {
        var model = Fixtures.model([Fixtures.tea, Fixtures.fitting, Fixtures.workout], 80, 24)
        _ = model.step(.key(.down), at: Self.now)
        #expect(model.selection == "fitting")
        var sooner = Fixtures.workout
        sooner.due = Self.now
        _ = model.step(.feed(.changed(sooner)), at: Self.now)
        #expect(model.selection == "fitting" && model.ids == ["workout", "tea", "fitting"])
        #expect(model.items == ["tea": Fixtures.tea, "fitting": Fixtures.fitting, "workout": sooner])
        _ = model.step(.feed(.gone("fitting")), at: Self.now)
        #expect(model.selection == "tea")
        _ = model.step(.feed(.all([])), at: Self.now)
        #expect(model.selection == nil)
        #expect(model.step(.key(.character("x")), at: Self.now).isEmpty)
        #expect(model.message?.text == "no item is selected")
    }

    @Test func removedItemStaysSelectedInTheLargeView() {
        var model = Fixtures.model(Fixtures.all, 80, 24, id: "tea")
        _ = model.step(.feed(.gone("tea")), at: Self.now)
        #expect(model.selection == "tea" && model.selected(at: Self.now) == nil)
        _ = model.step(.feed(.changed(Fixtures.tea)), at: Self.now)
        #expect(model.selected(at: Self.now)?.id == "tea")
        _ = model.step(.feed(.gone("tea")), at: Self.now)
        _ = model.step(.key(.escape), at: Self.now)
        #expect(model.selection == "stand-up")
    }

    @Test func longRefusalStartsWithTheAllowedControls() {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        let reason = "its actions are running, and the next cycle begins when they have ended"
        let refusal = "tea: \(reason); allowed: stop, reset"
        _ = model.step(.answer(.init(id: "tea", refusal: refusal)), at: Self.now)
        func foot(_ columns: Int) -> String {
            _ = model.step(.resize(ScreenSize(columns: columns, rows: 24)), at: Self.now)
            let palette = Palette(Styles.dark)
            let frame = WatchView(style: Styles.dark, zones: Fixtures.zones).frame(model, at: Self.now)
            return frame.text(palette).joined(separator: "\n")
        }
        let (narrow, wide) = (foot(80), foot(160))
        #expect(narrow.contains("tea: can stop, reset; its actions are running, and the next cycle"))
        #expect(wide.contains(refusal))
    }

    @Test func answersAndTroubleAreShown() {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        _ = model.step(.answer(.init(Fixtures.tea, after: .pause)), at: Self.now)
        #expect(model.message?.text == AnswerText.line(Fixtures.tea) && model.message?.isProblem == false)
        _ = model.step(.answer(.init(id: "tea", refusal: "tea: no laps")), at: Self.now)
        #expect(model.message?.text == "tea: no laps" && model.message?.isProblem == true)
        _ = model.step(.tick, at: Fixtures.after(.seconds(4)))
        #expect(model.message != nil)
        _ = model.step(.tick, at: Fixtures.after(.seconds(5)))
        #expect(model.message == nil)
        _ = model.step(.feed(.lost("no daemon")), at: Self.now)
        #expect(model.trouble == "no daemon" && model.items.count == Fixtures.all.count)
        _ = model.step(.feed(.all(Fixtures.all)), at: Self.now)
        #expect(model.trouble == nil)
    }

    @Test func anItemThatCannotBeShownIsNamedUntilItCan() {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        _ = model.step(.feed(.unreadable(id: "tea", "tea cannot be shown: expected seconds")), at: Self.now)
        #expect(model.problem == "tea cannot be shown: expected seconds" && model.items["tea"] == nil)
        #expect(model.items.count == Fixtures.all.count - 1)
        _ = model.step(.feed(.unreadable(id: "nap", "nap cannot be shown: expected seconds")), at: Self.now)
        #expect(model.problem == "nap cannot be shown: expected seconds (and 1 more)")
        _ = model.step(.feed(.gone("nap")), at: Self.now)
        _ = model.step(.feed(.changed(Fixtures.tea)), at: Self.now)
        #expect(model.problem == nil && model.items["tea"] != nil)
    }

    @Test func theProblemsOfFilesAreShownUntilTheyAreGone() {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        _ = model.step(.feed(.problems(["a.yaml: is broken", "b.yaml: is broken"])), at: Self.now)
        #expect(model.problem == "a.yaml: is broken (and 1 more)")
        _ = model.step(.feed(.problems([])), at: Self.now)
        #expect(model.problem == nil)
        _ = model.step(.feed(.problems(["a.yaml: is broken"])), at: Self.now)
        // A new snapshot is followed by the problems that are left.
        _ = model.step(.feed(.all(Fixtures.all)), at: Self.now)
        #expect(model.problem == nil)
    }

    @Test func aScreenWithTooFewRowsSaysWhichItemsItShows() {
        var model = Fixtures.model(Fixtures.all, 40, 12)
        #expect(model.shownPart == "1-7 of 10")
        _ = model.step(.key(.end), at: Self.now)
        #expect(model.shownPart == "4-10 of 10")
        _ = model.step(.resize(ScreenSize(columns: 40, rows: 30)), at: Self.now)
        #expect(model.shownPart == nil)
    }

    private static let ticks: [([Item], Duration)] = [
        // A timer with 3:12.5 left shows the next second in 0.5 s; a stopwatch at 1:01:11.25 in 0.75 s.
        ([Fixtures.tea], .milliseconds(500)), ([Fixtures.workout], .milliseconds(750)),
        ([Fixtures.launch], .seconds(1)), ([Fixtures.nap, Fixtures.rent, Fixtures.fitting], .seconds(20)),
        ([], .seconds(20)),
    ]

    @Test(arguments: ticks) func viewIsRedrawnWhenAShownSecondChanges(items: [Item], time: Duration) {
        let model = Fixtures.model(items, 80, 24)
        #expect(model.nextTick(after: Self.now) == Fixtures.after(time))
    }

    @Test func manyCountdownsAreRedrawnOnceASecond() {
        let items = (0..<200).map { number in
            var item = Fixtures.tea
            item.id = "timer-\(number)"
            item.remaining = .milliseconds(100_000 + number * 7)
            return item
        }
        let model = Fixtures.model(items, 200, 210)
        var (now, ticks) = (Self.now, 0)
        while now < Fixtures.after(.seconds(10)) {
            now = model.nextTick(after: now)
            ticks += 1
        }
        #expect(ticks <= 11)
    }
}
