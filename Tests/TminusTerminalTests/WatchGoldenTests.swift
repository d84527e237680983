import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite struct WatchGoldenTests {
    private struct Case {
        var name: String
        var size: (Int, Int)
        var style: Style
        var id: String?
        var keys: [Key] = []
        var items = Fixtures.all
    }

    private static let sizes = [(80, 24), (120, 40), (40, 12), (200, 50)]
    private static let everywhere: [Case] = {
        var cases: [Case] = []
        for size in sizes {
            for (name, style) in Styles.named where ["ascii", "monochrome", "dark", "light"].contains(name) {
                let place = "\(size.0)x\(size.1)-\(name)"
                cases.append(Case(name: "rows-\(place)", size: size, style: style))
                cases.append(Case(name: "large-\(place)", size: size, style: style, id: "tea"))
                cases.append(
                    Case(name: "dial-\(place)", size: size, style: style, id: "tea", keys: [.character("f")]))
            }
        }
        return cases
    }()
    private static let cases: [Case] =
        everywhere + [
            Case(name: "total-80x24", size: (80, 24), style: Styles.plain, id: "launch", keys: [.character("o")]),
            Case(name: "total-80x24-ascii", size: (80, 24), style: Styles.ascii, id: "launch", keys: [.character("o")]),
            Case(name: "laps-80x24", size: (80, 24), style: Styles.plain, id: "workout"),
            Case(name: "laps-40x12", size: (40, 12), style: Styles.plain, id: "workout"),
            Case(
                name: "laps-dial-120x40", size: (120, 40), style: Styles.plain, id: "workout", keys: [.character("f")]),
            Case(name: "help-80x24", size: (80, 24), style: Styles.plain, keys: [.character("?")]),
            Case(name: "help-40x12", size: (40, 12), style: Styles.plain, keys: [.character("?")]),
            Case(name: "question-80x24", size: (80, 24), style: Styles.dark, keys: [.down, .character("n")]),
            Case(name: "question-40x12", size: (40, 12), style: Styles.plain, id: "launch", keys: [.character("n")]),
            Case(name: "tall-40x40", size: (40, 40), style: Styles.plain, id: "tea"),
            Case(name: "gone-80x24", size: (80, 24), style: Styles.plain, id: "nothing"),
            Case(name: "empty-80x24", size: (80, 24), style: Styles.plain, items: []),
            Case(name: "second-80x24", size: (80, 24), style: Styles.dark, keys: [.down, .down]),
            Case(name: "end-40x12", size: (40, 12), style: Styles.plain, keys: [.end]),
            Case(
                name: "failing-120x40", size: (120, 40), style: Styles.plain, id: "nightly-backup-of-the-database"),
            Case(name: "failing-40x12", size: (40, 12), style: Styles.plain, id: "nightly-backup-of-the-database"),
        ]

    @Test(arguments: cases.indices) func framesMatchTheGoldenFiles(index: Int) throws {
        let row = Self.cases[index]
        var model = Fixtures.model(row.items, row.size.0, row.size.1, id: row.id)
        for key in row.keys { _ = model.step(.key(key), at: Fixtures.now) }
        let frame = WatchView(style: row.style, zones: Fixtures.zones).frame(model, at: Fixtures.after(.seconds(30)))
        try Golden.compare(frame.text(Palette(row.style)), with: "watch-\(row.name).txt")
    }

    @Test func brokenFilesMatchTheGoldenFile() throws {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        _ = model.step(.feed(.problems([Fixtures.problem, "b.yaml: is broken too"])), at: Fixtures.now)
        let frame = WatchView(style: Styles.plain, zones: Fixtures.zones).frame(model, at: Fixtures.now)
        try Golden.compare(frame.text(Palette(Styles.plain)), with: "watch-broken-80x24.txt")
    }

    /// On a wide screen the ring leaves room for the whole due time.
    @Test(arguments: [(120, 40), (200, 50)]) func theDueTimeIsWhole(columns: Int, rows: Int) {
        let model = Fixtures.model(Fixtures.all, columns, rows, id: "launch")
        let frame = WatchView(style: Styles.plain, zones: Fixtures.zones).frame(model, at: Fixtures.now)
        let text = frame.text(Palette(Styles.plain)).joined(separator: "\n")
        #expect(text.contains("Tue 2026-12-01 10:04:05 +01:00 Europe/Berlin"), "\(text)")
    }

    @Test func troubleAndMessagesMatchTheGoldenFile() throws {
        var model = Fixtures.model(Fixtures.all, 80, 24)
        _ = model.step(.feed(.lost("no daemon is running; trying again")), at: Fixtures.now)
        _ = model.step(
            .answer(.init(id: "launch", refusal: "an event has no laps; allowed: snooze, skip, mute")),
            at: Fixtures.now)
        let frame = WatchView(style: Styles.dark, zones: Fixtures.zones).frame(model, at: Fixtures.now)
        try Golden.compare(frame.text(Palette(Styles.dark)), with: "watch-trouble-80x24.txt")
    }
}
