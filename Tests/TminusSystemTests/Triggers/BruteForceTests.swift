import Testing
import TminusCore

@testable import TminusSystem

/// Random rules against a walk over every second or minute with plain definitions.
struct BruteForceTests {
    /// A small generator with a fixed seed (xorshift64, Marsaglia 2003).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    static let zoneNames = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "America/Havana", "UTC"]
    static let changes = [
        "2026-03-29T01:00:00Z", "2026-11-01T04:31:00Z", "2026-04-04T15:00:00Z", "2026-03-08T05:00:00Z",
        "2026-02-28T12:00:00Z", "2027-12-31T12:00:00Z",
    ]

    private func zone(_ generator: inout Generator) throws -> Zone {
        try #require(TriggerVector.zones.zone(named: Self.zoneNames.randomElement(using: &generator)!))
    }

    private func instant(_ text: String) throws -> Timestamp {
        guard case .instant(let instant) = try DateTimeText.parse(text).get() else { throw SpanProblem("no offset") }
        return instant
    }

    /// A field of a cron expression with the numbers it stands for.
    private func field(_ values: ClosedRange<Int>, _ generator: inout Generator) -> (text: String, values: Set<Int>) {
        func some() -> Int { Int.random(in: values, using: &generator) }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: return ("*", Set(values))
        case 2:
            let step = Int.random(in: 2...12, using: &generator)
            return ("*/\(step)", Set(stride(from: values.lowerBound, through: values.upperBound, by: step)))
        case 3:
            let (low, high) = { ($0.min()!, $0.max()!) }([some(), some()])
            return ("\(low)-\(high)", Set(low...high))
        case 4:
            let list = [some(), some(), some()]
            return (list.map(String.init).joined(separator: ","), Set(list))
        default:
            let value = some()
            return ("\(value)", [value])
        }
    }

    @Test("a wildcard expression runs at every minute whose clock time matches, and at no other", arguments: 1...60)
    func cron(seed: Int) throws {
        var generator = Generator(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        let zone = try zone(&generator)
        let (minute, hour) = (field(0...59, &generator), field(0...23, &generator))
        let (day, month, weekday) = (field(1...31, &generator), ("*", Set(1...12)), field(0...6, &generator))
        // A star in one of the two makes the expression follow the clock as it is shown.
        let minuteText = minute.text.hasPrefix("*") || hour.text.hasPrefix("*") ? minute.text : "*"
        let minutes = minuteText == minute.text ? minute.values : Set(0...59)
        let text = "\(minuteText) \(hour.text) \(day.text) \(month.0) \(weekday.text)"
        let expression = try CronExpression.parse(text).get()
        #expect(try CronExpression.parse(expression.description).get() == expression)

        let start = try instant(Self.changes.randomElement(using: &generator)!).advanced(by: .seconds(-2 * 86_400))
        var expected: [Timestamp] = []
        for step in 1...(5 * 1_440) {
            let now = start.advanced(by: .seconds(60 * step))
            let local = zone.local(now)
            let days = (day.values.contains(local.day), weekday.values.contains(local.weekday))
            let matches =
                day.text.hasPrefix("*") || weekday.text.hasPrefix("*") ? days.0 && days.1 : days.0 || days.1
            if matches, minutes.contains(local.minute), hour.values.contains(local.hour) { expected.append(now) }
        }
        try check(Trigger.cron(CronTrigger(expression, in: zone)), expected, from: start, days: 5, text)
    }

    @Test("a rule of days and more has every clock time that its definition has, and no other", arguments: 1...120)
    func recurrence(seed: Int) throws {
        var generator = Generator(state: UInt64(seed) &* 0xD134_2543_DE82_EF95)
        let zone = try zone(&generator)
        var parts: [String] = []
        func list(_ name: String, _ values: ClosedRange<Int>, _ count: Int) -> Set<Int>? {
            guard Bool.random(using: &generator) else { return nil }
            let set = Set((0..<count).map { _ in Int.random(in: values, using: &generator) }.filter { $0 != 0 })
            if set.isEmpty { return nil }
            parts.append("\(name)=\(set.sorted().map(String.init).joined(separator: ","))")
            return set
        }
        let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &generator)!
        let interval = Int.random(in: 1...4, using: &generator)
        let months = list("BYMONTH", 1...12, 6)
        let monthDays = frequency == "WEEKLY" ? nil : list("BYMONTHDAY", -31...31, 8)
        let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
        let weekdays = list("BYDAY", 1...7, 4)
        let hours = list("BYHOUR", 0...23, 3)
        let minutes = list("BYMINUTE", 0...59, 2)
        let weekStart = Int.random(in: 0...6, using: &generator)
        if let index = parts.firstIndex(where: { $0.hasPrefix("BYDAY=") }) {
            parts[index] = "BYDAY=" + weekdays!.map { names[$0 - 1] }.joined(separator: ",")
        }
        let text = (["FREQ=\(frequency)", "INTERVAL=\(interval)", "WKST=\(names[weekStart])"] + parts).joined(
            separator: ";")
        guard let rule = try? RecurrenceRule.parse(text).get() else { return }
        #expect(try RecurrenceRule.parse(rule.description).get() == rule)

        let start = LocalDateTime(2025, 1, Int.random(in: 1...28, using: &generator), 2, 30)
        func period(_ day: Int, _ date: LocalDateTime) -> Int {
            switch frequency {
            case "DAILY": day
            case "WEEKLY": (day + 4 - weekStart) / 7
            case "MONTHLY": date.year * 12 + date.month
            default: date.year
            }
        }
        var expected: Set<Timestamp> = [zone.instant(of: start)]
        for day in start.dayNumber..<start.dayNumber + 800 {
            let date = LocalDateTime(epochSeconds: day * 86_400, nanosecond: 0)
            let length = CivilDay.count(inMonth: date.month, of: date.year)
            guard (period(day, date) - period(start.dayNumber, start)) % interval == 0 else { continue }
            let isMonth = months?.contains(date.month) ?? (frequency != "YEARLY" || monthDays != nil || weekdays != nil)
            let isMonthDay = monthDays.map { $0.contains(date.day) || $0.contains(date.day - length - 1) } ?? true
            let isWeekday = weekdays?.contains(date.weekday + 1) ?? true
            var isImplied = true
            if monthDays == nil, weekdays == nil {
                switch frequency {
                case "WEEKLY": isImplied = date.weekday == start.weekday
                case "MONTHLY": isImplied = date.day == start.day
                case "YEARLY": isImplied = date.day == start.day && (months != nil || date.month == start.month)
                default: break
                }
            }
            guard isMonth || (frequency == "YEARLY" && months == nil), isMonthDay, isWeekday, isImplied else {
                continue
            }
            for hour in hours ?? [2] {
                for minute in minutes ?? [30] {
                    let local = LocalDateTime(date.year, date.month, date.day, hour, minute)
                    if local > start { expected.insert(zone.instant(of: local)) }
                }
            }
        }
        let trigger = Trigger.recurrence(
            try RecurrenceTrigger(rule, in: zone, bounds: TriggerBounds(start: .local(start))))
        let before = zone.instant(of: start).advanced(by: .nanoseconds(-1))
        try check(trigger, expected.sorted(), from: before, days: 799, text)
    }

    @Test("a rule of seconds to hours has every instant that its definition has, and no other", arguments: 1...60)
    func subDaily(seed: Int) throws {
        var generator = Generator(state: UInt64(seed) &* 0xA076_1D64_78BD_642F)
        let zone = try zone(&generator)
        let (name, unit) = [("SECONDLY", 1), ("MINUTELY", 60), ("HOURLY", 3_600)].randomElement(using: &generator)!
        let interval = Int.random(in: 1...100, using: &generator)
        let hours =
            Bool.random(using: &generator) ? Set((0..<12).map { _ in Int.random(in: 0...23, using: &generator) }) : nil
        let weekdays = Bool.random(using: &generator) ? [1, 3, 6, 0] : nil
        var text = "FREQ=\(name);INTERVAL=\(interval)"
        if let hours { text += ";BYHOUR=" + hours.map(String.init).joined(separator: ",") }
        if weekdays != nil { text += ";BYDAY=MO,WE,SA,SU" }
        let start = try instant(Self.changes.randomElement(using: &generator)!).advanced(by: .seconds(-86_400 - 1_234))
        var expected = [start]
        var now = start
        while now < start.advanced(by: .seconds(3 * 86_400)) {
            now = now.advanced(by: .seconds(interval * unit))
            let local = zone.local(now)
            if hours?.contains(local.hour) ?? true, weekdays?.contains(local.weekday) ?? true { expected.append(now) }
        }
        let trigger = Trigger.recurrence(
            try RecurrenceTrigger(
                RecurrenceRule.parse(text).get(), in: zone, bounds: TriggerBounds(start: .instant(start))))
        try check(trigger, expected, from: start.advanced(by: .nanoseconds(-1)), days: 3, text)
    }

    /// The trigger gives these and no others, one after the other, and each from a nanosecond before.
    private func check(
        _ trigger: Trigger, _ expected: [Timestamp], from start: Timestamp, days: Int, _ text: String
    ) throws {
        let end = start.advanced(by: .seconds(days * 86_400))
        var last = start
        for instant in expected where instant <= end {
            let next = trigger.next(after: last)
            guard next == instant, trigger.next(after: instant.advanced(by: .nanoseconds(-1))) == instant else {
                Issue.record("\(text) \(trigger.canonicalText): \(next?.rfc3339 ?? "none"), not \(instant.rfc3339)")
                return
            }
            last = instant
        }
        if let next = trigger.next(after: last) { #expect(next > end, "\(text): \(next.rfc3339) is too many") }
    }
}
