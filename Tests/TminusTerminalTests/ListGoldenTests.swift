import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite struct ListGoldenTests {
    private static let cases: [(name: String, width: Int?, style: Style)] =
        Styles.named.map { ("80-\($0.name)", 80, $0.style) } + [
            ("pipe", nil, Styles.plain), ("200-plain", 200, Styles.plain), ("200-dark", 200, Styles.dark),
            ("120-plain", 120, Styles.plain), ("60-plain", 60, Styles.plain),
            ("40-plain", 40, Styles.plain), ("20-ascii", 20, Styles.ascii),
        ]

    @Test(arguments: cases.indices) func listsMatchTheGoldenFiles(index: Int) throws {
        let (name, width, style) = Self.cases[index]
        var view = ListView(width: width, style: style, zones: Fixtures.zones)
        let text = view.text(Fixtures.all, problems: [Fixtures.problem], at: Fixtures.after(.seconds(30)))
        try Golden.compare(
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init),
            with: "list-\(name).txt")
    }

    @Test func pipeLimitsTheNameWidth() throws {
        func line(_ name: String) throws -> String {
            let item = Item(asOf: Fixtures.now, id: "tea", kind: .timer, name: name, state: .idle)
            var view = ListView(width: nil, style: Styles.plain, zones: Fixtures.zones)
            return try #require(view.text([item], at: Fixtures.now).split(separator: "\n").map(String.init).last)
        }
        let long = try line(String(repeating: "n", count: 300))
        #expect(long.filter { $0 == "n" }.count == 39)
        #expect(DisplayWidth.of(long) == DisplayWidth.of(try line(String(repeating: "n", count: 40))))
    }

    @Test(arguments: [20, 40, 80, 120, 200]) func idsAreNeverCut(width: Int) {
        var view = ListView(width: width, style: Styles.plain, zones: Fixtures.zones)
        let text = view.text(Fixtures.all, at: Fixtures.now)
        for item in Fixtures.all { #expect(text.contains(" \(item.id)"), "\(item.id) at \(width)") }
    }

    @Test func aFailingDefinitionHasAMarkWordsAndALine() {
        var view = ListView(width: 120, style: Styles.plain, zones: Fixtures.zones)
        let lines = view.text([Fixtures.backup, Fixtures.nap], problems: [Fixtures.problem], at: Fixtures.now)
            .split(separator: "\n")
        #expect(lines[1].hasPrefix("! ● nightly-backup-of-the-database  "))
        #expect(lines[1].contains("upcoming, failing"))
        #expect(lines[2].hasPrefix("  ○ nap "))
        let details = "see 'tminus deliveries --id nightly-backup-of-the-database'"
        #expect(
            lines.suffix(2) == [
                "! \(Fixtures.problem)",
                "! nightly-backup-of-the-database: 3 dead, 1 retrying; \(details)",
            ])
    }

    @Test func manyProblemsAreCounted() {
        var view = ListView(width: 80, style: Styles.plain, zones: Fixtures.zones)
        let problems = (1...30).map { "\($0).yaml: is broken" }
        let lines = view.text([Fixtures.nap], problems: problems, at: Fixtures.now).split(separator: "\n")
        #expect(lines.last == "! and 10 more; see 'tminus status'" && lines.count == 2 + 21)
    }

    @Test func emptyListSaysSo() {
        var view = ListView(width: 80, style: Styles.plain, zones: Fixtures.zones)
        #expect(view.text([], at: Fixtures.now) == "No definitions.\n")
    }

    @Test func pipeGetsNoEscapeCharacters() {
        var view = ListView(width: nil, style: Styles.plain, zones: Fixtures.zones)
        #expect(!view.text(Fixtures.all, at: Fixtures.now).contains("\u{1B}"))
    }
}
