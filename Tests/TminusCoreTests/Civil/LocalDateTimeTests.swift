import Testing
import TminusCore

struct LocalDateTimeTests {
    @Test("day numbers and dates agree over 1,200 years")
    func days() {
        var number = CivilDay.number(1500, 1, 1)
        for year in 1500..<2700 {
            for month in 1...12 {
                for day in 1...CivilDay.count(inMonth: month, of: year) {
                    let date = CivilDay.date(number)
                    let isRight =
                        date == (year, month, day) && CivilDay.number(year, month, day) == number
                        && LocalDateTime(year, month, day).weekday == ((number + 4) % 7 + 7) % 7
                    if !isRight { Issue.record("\(year)-\(month)-\(day)") }
                    number += 1
                }
            }
        }
        #expect(CivilDay.number(1970, 1, 1) == 0)
        #expect(LocalDateTime(2026, 11, 21).weekday == 6)
    }

    @Test(
        "months are counted with the day clamped, then days",
        arguments: [
            ((2026, 3, 31), -1, 0, (2026, 2, 28)), ((2024, 3, 31), -1, 0, (2024, 2, 29)),
            ((2026, 1, 15), -1, 0, (2025, 12, 15)),
            ((2026, 12, 15), 1, 0, (2027, 1, 15)), ((2024, 2, 29), 12, 0, (2025, 2, 28)),
            ((2026, 1, 1), -13, -1, (2024, 11, 30)),
            ((2026, 3, 1), 0, -1, (2026, 2, 28)), ((2026, 1, 1), 0, 365, (2027, 1, 1)),
        ] as [((Int, Int, Int), Int, Int, (Int, Int, Int))])
    func adding(from: (Int, Int, Int), months: Int, days: Int, to: (Int, Int, Int)) {
        let start = LocalDateTime(from.0, from.1, from.2, 9, 30, 15, nanosecond: 7)
        #expect(start.adding(months: months, days: days) == LocalDateTime(to.0, to.1, to.2, 9, 30, 15, nanosecond: 7))
    }

    @Test("local times are compared part by part")
    func order() {
        let ascending = [
            LocalDateTime(2025, 12, 31, 23, 59, 59, nanosecond: 9), LocalDateTime(2026, 1, 1),
            LocalDateTime(2026, 1, 1, 0, 0, 0, nanosecond: 1),
            LocalDateTime(2026, 1, 1, 0, 0, 1), LocalDateTime(2026, 1, 1, 0, 1), LocalDateTime(2026, 1, 1, 1),
            LocalDateTime(2026, 1, 2), LocalDateTime(2026, 2, 1),
        ]
        for (left, right) in zip(ascending, ascending.dropFirst()) {
            #expect(left < right)
            #expect(!(right < left))
            #expect(!(left < left))
        }
    }

    @Test("no value of any part makes the process crash")
    func extremes() throws {
        let zone = try Zone(name: "Test", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        for value in [Int.min, -1, 0, 13, 32, 99, Int.max] {
            let local = LocalDateTime(value, value, value, value, value, value, nanosecond: value)
            #expect(local.problem != nil)
            _ = local.weekday
            for amount in [Int.min, -1, 1, Int.max] {
                _ = zone.instant(of: local.adding(months: amount, days: amount))
                _ = zone.instant(of: LocalDateTime(value, 1, 31).adding(months: amount, days: 0))
            }
        }
        #expect(zone.instant(of: LocalDateTime(.max, 1, 1)) == .distantFuture)
        #expect(zone.instant(of: LocalDateTime(.min, 1, 1)) == .distantPast)
    }
}
