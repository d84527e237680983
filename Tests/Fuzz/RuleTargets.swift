@testable import TminusCore

/// Targets for the texts of rules, spans and dates. Beside crashes they look for a text of the program that it does not
/// read back, and for occurrences out of order.
enum RuleTargets {
    static func cron(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard case .success(let expression) = CronExpression.parse(text) else { return }
        demand(
            CronExpression.parse("\(expression)") == .success(expression), "'\(expression)' reads back, from '\(text)'")
        for policy in DaylightSaving.allCases {
            guard let trigger = try? CronTrigger(expression, in: ZoneTargets.berlin, daylightSaving: policy) else {
                return demand(false, "a cron expression without bounds is a trigger: '\(text)'")
            }
            walk(text, trigger.next)
        }
    }

    static func recurrence(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard case .success(let rule) = RecurrenceRule.parse(text) else { return }
        demand(RecurrenceRule.parse("\(rule)") == .success(rule), "'\(rule)' reads back, from '\(text)'")
        let start = LocalDateTime(2026, 1, 31, 2, 30)
        for start in [DateOrTime.local(start), .day(start), .instant(ZoneTargets.berlin.instant(of: start))] {
            for policy in DaylightSaving.allCases {
                let trigger = try? RecurrenceTrigger(
                    rule, in: ZoneTargets.berlin, daylightSaving: policy, bounds: TriggerBounds(start: start))
                if let trigger { walk(text, trigger.next) }
            }
        }
    }

    /// The first occurrences, each later than the one before.
    private static func walk(_ text: String, _ next: (Timestamp) -> Timestamp?) {
        var instant = Timestamp(seconds: 1_767_225_600)
        for _ in 0..<8 {
            guard let following = next(instant) else { return }
            demand(following > instant, "the occurrence after \(instant.rfc3339) is later: '\(text)'")
            instant = following
        }
    }

    static func duration(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if case .success(let span) = CalendarSpan.parse(text) {
            demand(
                CalendarSpan.parse(span.iso8601) == .success(span), "'\(span.iso8601)' reads back, from '\(text)'")
            demand(CalendarSpan.parse(span.text) == .success(span), "'\(span.text)' reads back, from '\(text)'")
            let occurrence = Timestamp(seconds: 1_793_000_000)
            let reminder = ZoneTargets.berlin.instant(span, .before, of: occurrence)
            demand(reminder < occurrence, "'\(text)' before \(occurrence.rfc3339) is earlier: \(reminder.rfc3339)")
        }
        if case .success(let duration) = CalendarSpan.parseExactDuration(text) {
            demand(CalendarSpan.parseDuration(text) == .success(duration), "two readings of '\(text)' agree")
            demand(duration >= .zero, "'\(text)' is not negative")
        }
        _ = CalendarSpan.monthDoubt(about: text)
    }

    static func date(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let zone = ZoneTargets.berlin
        let now = Timestamp(seconds: 1_774_746_000)
        for direction in [PlainDate.Direction.ahead, .back] {
            let read = PlainDate.parse(text, now: now, zone: zone, allowsPast: true, looking: direction)
            guard case .success(let date) = read else { continue }
            _ = (date.text(now: now), date.boundText, date.writtenBound)
            guard case .success(let written) = DateOrTime.parse(date.written) else {
                demand(false, "'\(date.written)' is a date, from '\(text)'")
                continue
            }
            demand(written.earliest(in: zone) == date.instant, "'\(date.written)' is the same, from '\(text)'")
        }
        if case .success(let date) = DateOrTime.parse(text) {
            demand(date.earliest(in: zone) <= date.latest(in: zone), "'\(text)' begins before it ends")
        }
        if let instant = Timestamp(rfc3339: text) {
            demand(Timestamp(rfc3339: instant.rfc3339) == instant, "'\(instant.rfc3339)' reads back, from '\(text)'")
        }
    }
}
