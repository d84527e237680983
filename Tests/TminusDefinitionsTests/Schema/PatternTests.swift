import Testing
import TminusCore
import TminusTestKit

@testable import TminusDefinitions

@Suite("patterns of the schema")
struct PatternTests {
    private static let pieces = [
        "1", "0", "12", ".5", "1.5", "007", ":", "30", "00", "59", "60", " ", "\t", "+", "-", "P", "T", "s", "m", "h",
        "d", "w",
        "M", "mo", "y", "min", "hours", "usec", "\u{B5}s", "\u{3BC}s", "Y", "W", "D", "H", "S", ",", "x", "2026-12-01",
        "2026", "09",
        "Z", "z", "+01:00", "-23:59", "t", "\n", "month", "P1", "T1",
    ]

    /// Random texts: most are invalid, some hundreds decode.
    private static func texts(_ count: Int) -> [String] {
        var random = SeededRandom(3)
        return (0..<count).map { _ in
            (0...Int(random.next() % 6)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
        }
    }

    @Test("no valid text is rejected")
    func neverReject() throws {
        let duration = try Regex(TextPatterns.duration)
        let lead = try Regex(TextPatterns.lead)
        let dateTime = try Regex(TextPatterns.dateTime)
        var counts = (durations: 0, leads: 0, dateTimes: 0)
        for text in Self.texts(20_000) {
            if case .success(let value) = CalendarSpan.parseExactDuration(text), value > .zero {
                counts.durations += 1
                #expect(text.firstMatch(of: duration) != nil, "\(text.debugDescription)")
            }
            if case .success = CalendarSpan.parse(text) {
                counts.leads += 1
                #expect(text.firstMatch(of: lead) != nil, "\(text.debugDescription)")
            }
            if case .success = DateTimeText.parse(text) {
                counts.dateTimes += 1
                #expect(text.firstMatch(of: dateTime) != nil, "\(text.debugDescription)")
            }
        }
        #expect(counts.durations > 200 && counts.leads > 200 && counts.dateTimes > 50, "\(counts)")
    }

    @Test("few invalid texts are accepted")
    func rarelyAccept() throws {
        let duration = try Regex(TextPatterns.duration)
        var wrong: [String] = []
        for text in Self.texts(20_000) where text.firstMatch(of: duration) != nil {
            // The pattern sees neither sizes nor a fraction before the last part of ISO 8601.
            if case .failure(let problem) = CalendarSpan.parseExactDuration(text),
                !problem.message.contains("200 years"),
                !problem.message.contains("only the last part")
            {
                wrong.append(text)
            }
        }
        #expect(wrong.isEmpty)
    }
}
