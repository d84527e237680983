import TerminalTestSupport
import Testing
import TminusCore
import TminusTerminal

@Suite struct DrawingGoldenTests {
    private static let shares = [0, 0.01, 0.25, 0.5, 0.75, 0.99, 1]

    @Test(arguments: [Styles.plain, Styles.ascii]) func ringsMatchTheGoldenFiles(style: Style) throws {
        var lines: [String] = []
        for share in Self.shares {
            lines.append("\(share)")
            lines += Rings.lines([.init(share: share, ink: .plain)], columns: 20, rows: 10, style: style)
                .map { $0.text(Palette(style)) }
            lines += Rings.lines(
                [share, 0.4, 1 - share].map { .init(share: $0, ink: .plain) }, columns: 40, rows: 20, style: style
            ).map { $0.text(Palette(style)) }
        }
        try Golden.compare(lines, with: style.drawsASCII ? "rings-ascii.txt" : "rings.txt")
    }

    @Test(arguments: [Styles.plain, Styles.ascii]) func dialsMatchTheGoldenFiles(style: Style) throws {
        var lines: [String] = []
        for seconds in [0, 15, 1_830, 11_700, 43_199] {
            lines.append(ClockText.digits(ClockText.passed(.seconds(seconds))))
            lines += Dial.lines(.seconds(seconds), columns: 40, rows: 20, ink: .plain, style: style)
                .map { $0.text(Palette(style)) }
        }
        try Golden.compare(lines, with: style.drawsASCII ? "dials-ascii.txt" : "dials.txt")
    }

    @Test(arguments: [Styles.plain, Styles.ascii]) func barsMatchTheGoldenFiles(style: Style) throws {
        let lines = (Self.shares + [0.525]).map {
            "\($0): " + Bar.line($0, width: 20, ink: .plain, style: style).text(Palette(style))
        }
        try Golden.compare(lines, with: style.drawsASCII ? "bars-ascii.txt" : "bars.txt")
    }

    @Test(arguments: [Styles.plain, Styles.ascii]) func digitsMatchTheGoldenFiles(style: Style) throws {
        let lines = BigDigits.lines("12d 03:45:67 89", look: .plain, style: style)
        #expect(lines.map(\.width).max() == BigDigits.width("12d 03:45:67 89"))
        try Golden.compare(
            lines.map { $0.text(Palette(style)) }, with: style.drawsASCII ? "digits-ascii.txt" : "digits.txt")
    }

    private static let times: [(Duration, hours: Double, minutes: Double, seconds: Double)] = [
        (.zero, 0, 0, 0), (.seconds(30), 0.5 / 1_440, 0.5 / 60, 0.5), (.seconds(60), 1.0 / 1_440, 1.0 / 60, 1),
        (.seconds(86_400), 1, 1, 1), (.seconds(90_000), 1.0 / 24, 1, 1),
    ]

    @Test(arguments: times)
    func threeRingsReachZeroTogether(time: Duration, hours: Double, minutes: Double, seconds: Double) {
        let shares = Rings.shares(of: time)
        #expect(abs(shares.hours - hours) < 1e-9 && abs(shares.minutes - minutes) < 1e-9)
        #expect(abs(shares.seconds - seconds) < 1e-9)
    }
}
