import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal
import TminusTestKit

@Suite struct SizeTests {
    @Test(arguments: [Styles.plain, Styles.ascii, Styles.dark]) func linesNeverExceedTheScreenWidth(style: Style) {
        var random = SeededRandom(5)
        for _ in 0..<60 {
            let items = (0..<random.below(12)).map { _ in Fixtures.random(&random) }
            let width = 1 + random.below(120)
            var list = ListView(width: width, style: style, zones: Fixtures.zones)
            // An id is never cut: a line may be as long as the longest id with the mark before it.
            let longest = (items.map { DisplayWidth.of($0.id) }.max() ?? 0) + (width < 30 ? 2 : 4)
            let failures = min(21, items.compactMap(\.failureLine).count)
            for line in list.lines(items, at: Fixtures.now).dropLast(failures) {
                #expect(line.width <= max(width, longest))
            }
            let show = ShowView(width: width, style: style, zones: Fixtures.zones)
            for item in items {
                let lines = show.lines(item, deliveries: [], at: Fixtures.now)
                // The title has the id, or is the id.
                let title = max(width, DisplayWidth.of(item.id))
                #expect(lines.prefix(2).allSatisfy { $0.width <= title }, "\(item.id) at \(width)")
                #expect(lines.dropFirst(2).allSatisfy { $0.width <= width }, "\(item.id) at \(width)")
            }
        }
    }

    @Test func everyScreenSizeIsDrawn() {
        let keys: [Key] = [.enter, .character("f"), .character("o"), .character("?"), .tab, .escape, .end, .pageUp]
        var random = SeededRandom(9)
        let view = WatchView(style: Styles.dark, zones: Fixtures.zones)
        for columns in [1, 2, 3, 5, 8, 13, 20, 29, 40, 47, 48, 60, 79, 133] {
            for rows in [1, 2, 3, 4, 5, 7, 8, 9, 13, 17, 24, 50] {
                var model = Fixtures.model((0..<random.below(40)).map { _ in Fixtures.random(&random) }, columns, rows)
                for key in keys {
                    _ = model.step(.key(key), at: Fixtures.now)
                    let frame = view.frame(model, at: Fixtures.now)
                    #expect(frame.size == ScreenSize(columns: columns, rows: rows))
                    for row in 0..<rows where !frame.row(row).isEmpty {
                        // A row never starts in the middle of a wide character.
                        #expect(!frame.row(row)[frame.row(row).startIndex].text.isEmpty)
                    }
                }
            }
        }
    }

    @Test func selectedItemStaysOnTheScreen() {
        var random = SeededRandom(21)
        let keys: [Key] = [.up, .down, .pageUp, .pageDown, .home, .end, .tab]
        var model = Fixtures.model((0..<60).map { _ in Fixtures.random(&random) }, 80, 24)
        for _ in 0..<500 {
            switch random.below(4) {
            case 0: _ = model.step(.resize(ScreenSize(columns: 80, rows: 1 + random.below(40))), at: Fixtures.now)
            case 1: _ = model.step(.feed(.changed(Fixtures.random(&random))), at: Fixtures.now)
            case 2: _ = model.step(.feed(.gone(model.visibleItems.first?.id ?? "")), at: Fixtures.now)
            default: _ = model.step(.key(keys[random.below(keys.count)]), at: Fixtures.now)
            }
            #expect(model.visibleItems.contains { $0.id == model.selection })
        }
    }
}
