import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal
import TminusTestKit

@Suite struct FrameTests {
    /// A frame with random content.
    private static func frame(_ size: ScreenSize, _ random: inout SeededRandom, over old: Frame? = nil) -> Frame {
        var frame = old ?? Frame(size)
        let texts = ["tea", "時計", "🎉", "e\u{301}", "        ", "⣿⣿⣿", "1:23:45", "ｱ"]
        let looks = [Look.plain, .bold, .faint, Look(.named(.red)), Look(.rgb(1, 2, 3), reversed: true)]
        for _ in 0..<random.below(12) {
            frame.put(
                Line(texts[random.below(texts.count)], looks[random.below(looks.count)]),
                row: random.below(size.rows), column: random.below(size.columns))
        }
        return frame
    }

    private static func cells(_ frame: Frame, _ palette: Palette) -> [[String]] {
        (0..<frame.size.rows).map { row in
            frame.row(row).map { cell in
                let look = cell.look == .plain ? "" : palette.sequence(cell.look)
                return look.replacing("\u{1B}[", with: "<").replacing("m", with: ">") + cell.text
            }
        }
    }

    @Test(arguments: Styles.named.map(\.style)) func outputTurnsTheOldFrameIntoTheNew(style: Style) {
        let palette = Palette(style)
        var random = SeededRandom(11)
        for _ in 0..<300 {
            let size = ScreenSize(columns: 1 + random.below(30), rows: 1 + random.below(8))
            var terminal = TerminalEmulator(columns: size.columns, rows: size.rows)
            var shown: Frame?
            for _ in 0..<4 {
                // Draw over the old content, or over an empty frame.
                let kept = random.below(2) == 0 ? shown : nil
                let next = Self.frame(size, &random, over: kept).shown(by: palette)
                terminal.write(FrameDiff.bytes(from: shown, to: next, palette), width: DisplayWidth.of)
                #expect(terminal.cells == Self.cells(next, palette))
                #expect(terminal.isPlain && terminal.misunderstood.isEmpty, "\(terminal.misunderstood)")
                shown = next
            }
        }
    }

    @Test func unchangedFramesWriteNothing() {
        var random = SeededRandom(3)
        let frame = Self.frame(ScreenSize(columns: 40, rows: 10), &random)
        #expect(FrameDiff.bytes(from: frame, to: frame, Palette(Styles.dark)).isEmpty)
    }

    @Test func oneChangedDigitWritesOneMoveAndOneDigit() {
        var (old, new) = (Frame(ScreenSize(columns: 80, rows: 24)), Frame(ScreenSize(columns: 80, rows: 24)))
        old.put(Line("1:23:45"), row: 7, column: 70)
        new.put(Line("1:23:44"), row: 7, column: 70)
        #expect(FrameDiff.bytes(from: old, to: new, Palette(Styles.dark)) == "\u{1B}[8;77H4")
    }

    @Test func overwrittenWideCharactersLeaveNoHalves() {
        var frame = Frame(ScreenSize(columns: 6, rows: 1))
        frame.put(Line("時計時"), row: 0)
        frame.put(Line("xy"), row: 0, column: 1)
        #expect(frame.row(0).map(\.text) == [" ", "x", "y", " ", "時", ""])
    }

    @Test func longLinesAreCutWithAMark() {
        var line = Line("abc", .bold)
        line.append("def")
        #expect(line.cut(to: 6, mark: "…") == line)
        #expect(line.cut(to: 5, mark: "…").spans.map(\.text) == ["abc", "d…"])
        #expect(line.cut(to: 3, mark: "…").spans.map(\.text) == ["ab…"])
        #expect(line.cut(to: 0, mark: "…").width == 0)
    }
}
