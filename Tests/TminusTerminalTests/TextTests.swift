import Testing
import TminusTerminal

@Suite struct TextTests {
    private static let widths: [(String, Int)] = [
        ("", 0), ("tea", 3), ("naïve", 5), ("e\u{301}", 1), ("時計", 4), ("ｱ", 1), ("Ａ", 2), ("한국어", 6),
        ("\u{1112}\u{1161}\u{11AB}", 2),
        ("🎉", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("👍🏽", 2), ("❤️", 2), ("❤", 1), ("⣿", 1), ("क्षि", 3), ("\u{200B}", 0), ("1", 1),
        ("©", 1),
        ("1\u{FE0F}\u{20E3}", 2), ("…", 1),
    ]

    @Test(arguments: widths) func displayWidthInColumns(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    private static let cuts: [(String, Int, String)] = [
        ("launch", 6, "launch"), ("launch", 5, "laun…"), ("launch", 1, "…"), ("launch", 0, ""), ("時計時計", 5, "時計…"),
        ("時計時計", 4, "時…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 3, ""),
    ]

    @Test(arguments: cuts) func textIsCutToTheWidth(text: String, width: Int, result: String) {
        #expect(Fitting.cut(text, to: width) == result)
        #expect(DisplayWidth.of(Fitting.pad(text, to: width)) == width)
    }

    private static let harmful: [(String, String, ascii: String)] = [
        ("tea", "tea", "tea"), ("a\u{1B}[31mb", "a\\u{1b}[31mb", "a\\u{1b}[31mb"), ("a\r\nb\tc", "a b c", "a b c"),
        ("a\u{9B}b", "a\\u{9b}b", "a\\u{9b}b"), ("a\u{202E}b", "a\\u{202e}b", "a\\u{202e}b"),
        ("a\u{7F}\u{0}", "a\\u{7f}\\u{0}", "a\\u{7f}\\u{0}"),
        ("時", "時", "??"), ("e\u{301}", "e\u{301}", "?"), ("\u{2028}", "\\u{2028}", "\\u{2028}"),
    ]

    @Test(arguments: harmful) func hiddenCharactersAreEscaped(text: String, safe: String, ascii: String) {
        #expect(SafeText.line(text) == safe)
        #expect(SafeText.line(text, unicode: false) == ascii)
    }

    private static let clocks: [(Duration, left: String, passed: String)] = [
        (.zero, "0:00", "0:00"), (.milliseconds(1), "0:01", "0:00"), (.milliseconds(59_999), "1:00", "0:59"),
        (.seconds(60), "1:00", "1:00"), (.seconds(3_661), "1:01:01", "1:01:01"),
        (.seconds(90_061), "1d 01:01:01", "1d 01:01:01"), (.seconds(-5), "0:00", "0:00"),
    ]

    @Test(arguments: clocks) func remainingTimeRoundsUpAndElapsedTimeDown(time: Duration, left: String, passed: String)
    {
        #expect(ClockText.digits(ClockText.left(time)) == left)
        #expect(ClockText.digits(ClockText.passed(time)) == passed)
    }

    @Test(arguments: [
        (["LANG": "en_US.UTF-8", "TERM": "xterm-256color"], Style.Colors.indexed, false),
        (["LANG": "en_US.UTF-8", "TERM": "xterm", "COLORTERM": "truecolor"], .direct, false),
        (["LANG": "en_US.UTF-8", "TERM": "xterm", "NO_COLOR": "1"], .none, false),
        (["LANG": "en_US.UTF-8", "TERM": "xterm", "NO_COLOR": ""], .sixteen, false),
        (["LC_ALL": "C", "LANG": "en_US.UTF-8", "TERM": "xterm"], .sixteen, true),
        (["TERM": "dumb"], .none, true),
    ])
    func styleFollowsTheEnvironment(environment: [String: String], colors: Style.Colors, ascii: Bool) {
        let style = Style(environment: environment, isTerminal: true)
        #expect(style.colors == colors)
        #expect(style.drawsASCII == ascii)
        #expect(Style(environment: environment, isTerminal: false).colors == .none)
    }

    @Test(arguments: [("15;0", Style.Background.dark), ("0;15", .light), ("0;default;7", .light), ("x", .dark)])
    func backgroundFollowsTheEnvironment(text: String, background: Style.Background) {
        #expect(Style(environment: ["COLORFGBG": text], isTerminal: true).background == background)
    }
}
