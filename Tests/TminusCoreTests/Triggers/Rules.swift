import Testing

@testable import TminusCore

/// The zone of central Europe by its POSIX rule, so that these tests need no tzdata.
func berlin() throws -> Zone { try Zone(name: "Europe/Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3") }

/// The zone of New York before 2007, as in the examples of RFC 5545.
func newYork1997() throws -> Zone { try Zone(name: "America/New_York", posix: "EST5EDT,M4.1.0,M10.5.0") }

func bound(_ text: String) throws -> DateOrTime { try DateOrTime.parse(text).get() }

extension Trigger {
    static func cron(
        _ text: String, _ zone: Zone = .utc, dst: DaylightSaving = .compatible,
        _ bounds: TriggerBounds = TriggerBounds()
    ) throws -> Trigger {
        .cron(try CronTrigger(CronExpression.parse(text).get(), in: zone, daylightSaving: dst, bounds: bounds))
    }

    static func rrule(
        _ text: String, from start: String, _ zone: Zone = .utc, dst: DaylightSaving = .compatible,
        until: String? = nil, count: Int? = nil, except: [String] = []
    ) throws -> Trigger {
        let bounds = TriggerBounds(
            start: try bound(start), until: try until.map(bound), count: count, except: try except.map(bound))
        return .recurrence(
            try RecurrenceTrigger(RecurrenceRule.parse(text).get(), in: zone, daylightSaving: dst, bounds: bounds))
    }

    static func every(
        _ text: String, from start: String, _ zone: Zone = .utc, dst: DaylightSaving = .compatible, count: Int? = nil,
        except: [String] = []
    ) throws -> Trigger {
        let bounds = TriggerBounds(start: try bound(start), count: count, except: try except.map(bound))
        return .every(
            try EveryTrigger(CalendarSpan.parse(text).get(), in: zone, daylightSaving: dst, bounds: bounds))
    }

    /// The occurrences after an instant in local time: `2026-03-29 03:30`.
    func local(_ zone: Zone = .utc, after text: String = "1900-01-01", limit: Int = 6) throws -> [String] {
        var last = try instant(text, zone)
        var result: [String] = []
        while result.count < limit, let next = next(after: last) {
            let local = zone.local(next)
            let time = local.second == 0 ? "" : ":\(local.second)"
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            result.append(
                "\(local.year)-\(two(local.month))-\(two(local.day)) \(two(local.hour)):\(two(local.minute))\(time)")
            last = next
        }
        return result
    }
}

func instant(_ text: String, _ zone: Zone = .utc) throws -> Timestamp {
    // Triggers compute more years than people may write.
    switch try DateTimeText.parse(text, years: LocalDateTime.computedYears).get() {
    case .instant(let instant): instant
    case .local(let local): zone.instant(of: local)
    }
}
