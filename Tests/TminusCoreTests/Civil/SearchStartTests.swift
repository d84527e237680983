import Testing

@testable import TminusCore

struct SearchStartTests {
    static let leads = ["1 day", "1 week", "1 month", "2 months 3 days", "1 year", "1 day 5h", "90m", "1 month 1h"]

    @Test(
        "no occurrence at or before it has its reminder after the cursor", arguments: leads,
        [Reminder.Side.before, .after])
    func lowerBound(text: String, side: Reminder.Side) throws {
        let zone = try berlin()
        let lead = try CalendarSpan.parse(text).get()
        // Around both changes of 2026 and the ends of short and long months.
        for date in ["2026-03-27", "2026-10-24", "2026-01-29", "2026-02-27", "2024-02-28", "2026-04-29", "2025-12-30"] {
            let first = try instant(date, zone)
            for step in 0..<60 {
                let cursor = first.advanced(by: .seconds(step * 5_431))
                let start = zone.searchStart(for: lead, side, after: cursor)
                for back in 0..<200 {
                    let occurrence = start.advanced(by: .seconds(-back * 1_800))
                    let due = zone.instant(lead, side, of: occurrence)
                    #expect(due <= cursor, "\(occurrence.rfc3339) \(cursor.rfc3339)")
                }
            }
        }
    }

    @Test("without offset changes it is the latest such instant")
    func isTight() throws {
        let zone = try berlin()
        for text in Self.leads {
            let lead = try CalendarSpan.parse(text).get()
            for side in [Reminder.Side.before, .after] {
                let cursor = try instant("2026-07-10 12:00", zone)
                let start = zone.searchStart(for: lead, side, after: cursor)
                #expect(zone.instant(lead, side, of: start) == cursor, "\(text) \(side)")
            }
        }
    }
}
