import Foundation
import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

/// The live view in README.
@Suite struct ReadmeFrameTests {
    private static let now = Fixtures.now
    private static let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("README.md")

    /// An item with so much time left of its whole length, in seconds.
    private static func item(
        _ id: String, _ kind: DefinitionKind, _ name: String, _ state: Item.State = .running, left: Int, of total: Int
    ) -> Item {
        let time = Duration.seconds(left)
        return Item(
            asOf: now, id: id, kind: kind, name: name, state: state, due: state == .paused ? nil : Fixtures.after(time),
            remaining: time, elapsed: kind == .timer ? .seconds(total - left) : nil, total: .seconds(total))
    }

    private static let items = [
        item("stand-up", .event, "Daily stand-up", .upcoming, left: 22_688, of: 86_400),
        item("launch", .event, "Product launch", .upcoming, left: 625_688, of: 626_000),
        item("refresh-prices", .timer, "Refresh prices", left: 43, of: 60),
        item("tea", .timer, "Green tea", left: 163, of: 240),
        item("bread", .timer, "Bread in the oven", .paused, left: 2_665, of: 2_700),
        Item(asOf: now, id: "workout", kind: .stopwatch, name: "Workout", state: .running, elapsed: .seconds(76)),
    ]

    @Test("README shows the live view as it is; TMINUS_RECORD=1 in the environment re-records it")
    func frame() throws {
        let model = Fixtures.model(Self.items, 80, 11)
        let lines = WatchView(style: Styles.plain, zones: Fixtures.zones).frame(model, at: Self.now)
            .text(Palette(Styles.plain))
        let frame = lines.map { $0 + "\n" }.joined()
        var text = try String(decoding: Data(contentsOf: Self.readme), as: UTF8.self)
        let block = try #require(text.firstMatch(of: /\n```text\n(tminus  (?s:.*?))```\n/))
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" {
            text.replaceSubrange(block.output.1.startIndex..<block.output.1.endIndex, with: frame)
            try Data(text.utf8).write(to: Self.readme)
        } else {
            #expect(block.output.1 == frame)
        }
    }
}
