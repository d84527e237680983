import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite struct ListGoldenTests {
    private static let cases: [(name: String, width: Int?, style: Style)] =
        Styles.named.map { ("80-\($0.name)", 80, $0.style) } + [
            ("pipe", nil, Styles.plain), ("120-plain", 120, Styles.plain), ("60-plain", 60, Styles.plain),
            ("40-plain", 40, Styles.plain), ("20-ascii", 20, Styles.ascii),
        ]

    @Test(arguments: cases.indices) func listsMatchTheGoldenFiles(index: Int) throws {
        let (name, width, style) = Self.cases[index]
        var view = ListView(width: width, style: style, zones: Fixtures.zones)
        let text = view.text(Fixtures.all, at: Fixtures.after(.seconds(30)))
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

    @Test func emptyListSaysSo() {
        var view = ListView(width: 80, style: Styles.plain, zones: Fixtures.zones)
        #expect(view.text([], at: Fixtures.now) == "No definitions.\n")
    }

    @Test func pipeGetsNoEscapeCharacters() {
        var view = ListView(width: nil, style: Styles.plain, zones: Fixtures.zones)
        #expect(!view.text(Fixtures.all, at: Fixtures.now).contains("\u{1B}"))
    }
}
