extension RecurrenceRule {
    /// Reads the value of an RRULE: `FREQ=MONTHLY;BYMONTHDAY=-1`.
    ///
    /// Parts may be in any order, and case does not matter. Errors: whatever RFC 5545 section 3.3.10 forbids, and a
    /// rule for a day that no year has.
    public static func parse(_ text: String) -> Result<RecurrenceRule, RuleProblem> {
        do throws(RuleProblem) {
            var parser = RecurrenceParser(text)
            return .success(try parser.read())
        } catch {
            return .failure(error)
        }
    }
}

/// Reads a recurrence rule part by part.
private struct RecurrenceParser {
    private let text: [Unicode.Scalar]
    private var rule = RecurrenceRule(.daily)
    /// The range of the value of each part.
    private var seen: [String: Range<Int>] = [:]

    init(_ source: String) { text = Array(source.unicodeScalars.prefix(8_192)) }

    mutating func read() throws(RuleProblem) -> RecurrenceRule {
        let all = 0..<text.count
        let example = "write a rule such as 'FREQ=WEEKLY;BYDAY=MO,WE'"
        if text.isEmpty { throw RuleProblem("a rule is missing; \(example)", all) }
        if text.count == 8_192 { throw RuleProblem("a rule has less than 8,192 characters", all) }
        for range in split(all, at: ";") {
            if range.isEmpty { throw RuleProblem("a part of the rule is empty", clamped(range)) }
            guard let equals = text[range].firstIndex(of: "=") else {
                throw RuleProblem("\(string(range).excerpt) is not a part of a rule; \(example)", range)
            }
            let name = string(range.lowerBound..<equals).uppercased()
            let value = equals + 1..<range.upperBound
            guard Self.names.contains(name) else {
                let suggestion = Suggestion.phrase(for: name, in: Self.names)
                throw RuleProblem(
                    "\(name.excerpt) is not a part of a rule\(suggestion)", range.lowerBound..<equals)
            }
            if value.isEmpty { throw RuleProblem("\(name) has no value", range) }
            guard seen.updateValue(value, forKey: name) == nil else {
                throw RuleProblem("\(name) is there twice", range.lowerBound..<equals)
            }
            try read(name, value)
        }
        guard seen["FREQ"] != nil else {
            throw RuleProblem("FREQ is missing; \(example)", all)
        }
        try check()
        return rule
    }

    private static let names = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
        "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS",
    ]

    private mutating func read(_ name: String, _ range: Range<Int>) throws(RuleProblem) {
        switch name {
        case "FREQ":
            let written = string(range).uppercased()
            guard let frequency = RecurrenceRule.Frequency(rawValue: written) else {
                let names = RecurrenceRule.Frequency.allCases.map(\.rawValue)
                throw RuleProblem(
                    "\(written.excerpt) is not a frequency\(Suggestion.phrase(for: written, in: names)); "
                        + "there are \(names.joined(separator: ", "))", range)
            }
            rule.frequency = frequency
        case "INTERVAL": rule.interval = try positive(name, range)
        case "COUNT": rule.count = try positive(name, range)
        case "UNTIL": rule.until = try until(range)
        case "WKST": rule.weekStart = try weekday(range)
        // Leap seconds are not counted, so second 60 is read as 59 (section 3.3.12).
        case "BYSECOND": rule.seconds = Set(try list(name, range, 0...60).map { min($0, 59) }).sorted()
        case "BYMINUTE": rule.minutes = try list(name, range, 0...59)
        case "BYHOUR": rule.hours = try list(name, range, 0...23)
        case "BYDAY": rule.weekdays = try weekdays(range)
        case "BYMONTHDAY": rule.monthDays = try list(name, range, 1...31, isSigned: true)
        case "BYYEARDAY": rule.yearDays = try list(name, range, 1...366, isSigned: true)
        case "BYWEEKNO": rule.weekNumbers = try list(name, range, 1...53, isSigned: true)
        case "BYMONTH": rule.months = try list(name, range, 1...12)
        default: rule.positions = try list(name, range, 1...366, isSigned: true)
        }
    }

    /// The rules of section 3.3.10 that involve several parts.
    private func check() throws(RuleProblem) {
        if let range = seen["COUNT"], rule.until != nil {
            throw RuleProblem("COUNT and UNTIL cannot be in the same rule", range)
        }
        let frequency = rule.frequency
        if frequency != .yearly, let range = seen["BYWEEKNO"] {
            throw RuleProblem("BYWEEKNO is for FREQ=YEARLY only", range)
        }
        if [.daily, .weekly, .monthly].contains(frequency), let range = seen["BYYEARDAY"] {
            throw RuleProblem("BYYEARDAY cannot be used with FREQ=\(frequency.rawValue)", range)
        }
        if frequency == .weekly, let range = seen["BYMONTHDAY"] {
            throw RuleProblem("BYMONTHDAY cannot be used with FREQ=WEEKLY", range)
        }
        if let range = seen["BYDAY"], rule.weekdays.contains(where: { $0.ordinal != 0 }) {
            if frequency != .monthly, frequency != .yearly {
                throw RuleProblem("a number before a day of BYDAY is for FREQ=MONTHLY and YEARLY only", range)
            }
            if seen["BYWEEKNO"] != nil {
                throw RuleProblem("a number before a day of BYDAY cannot be used together with BYWEEKNO", range)
            }
        }
        if let range = seen["BYSETPOS"], !seen.keys.contains(where: { $0.hasPrefix("BY") && $0 != "BYSETPOS" }) {
            throw RuleProblem("BYSETPOS needs another BY part to choose from", range)
        }
        let days = RecurrenceDays(rule)
        // The years 2000 to 2028 cover every combination of leap year and first weekday.
        if days.first(from: CivilDay.number(2000, 1, 1), before: CivilDay.number(2029, 1, 1)) == nil {
            throw RuleProblem("never fires: no year has such a day", 0..<text.count)
        }
    }

    private func positive(_ name: String, _ range: Range<Int>) throws(RuleProblem) -> Int {
        guard let number = number(range), (1...1_000_000_000).contains(number) else {
            throw RuleProblem(
                "\(string(range).excerpt) is not a number for \(name): 1–1,000,000,000", range)
        }
        return number
    }

    private func list(
        _ name: String, _ range: Range<Int>, _ values: ClosedRange<Int>, isSigned: Bool = false
    ) throws(RuleProblem) -> [Int] {
        var result: Set<Int> = []
        for item in split(range, at: ",") {
            var digits = item
            let sign = text[item].first
            if isSigned, sign == "-" || sign == "+" { digits = item.lowerBound + 1..<item.upperBound }
            guard let number = number(digits), values.contains(number) else {
                let signed = isSigned ? " or -\(values.upperBound) to -1" : ""
                throw RuleProblem(
                    "\(string(item).excerpt) is not a number for \(name): "
                        + "\(values.lowerBound) to \(values.upperBound)\(signed)", clamped(item))
            }
            result.insert(isSigned && sign == "-" ? -number : number)
        }
        return result.sorted()
    }

    private func weekdays(_ range: Range<Int>) throws(RuleProblem) -> [RecurrenceRule.Weekday] {
        var result: Set<RecurrenceRule.Weekday> = []
        for item in split(range, at: ",") {
            guard item.count >= 2 else {
                throw RuleProblem(
                    "\(string(item).excerpt) is not a day of the week: SU, MO, TU, WE, TH, FR, SA", clamped(item))
            }
            let name = item.upperBound - 2..<item.upperBound
            let prefix = item.lowerBound..<name.lowerBound
            let day = try weekday(name, in: item)
            var ordinal = 0
            if !prefix.isEmpty {
                guard let number = try? list("BYDAY", prefix, 1...53, isSigned: true).first else {
                    throw RuleProblem(
                        "\(string(item).excerpt): the number before a day of BYDAY is 1 to 53 or -53 to -1", item)
                }
                ordinal = number
            }
            result.insert(RecurrenceRule.Weekday(ordinal, day: day))
        }
        return result.sorted()
    }

    private func weekday(_ range: Range<Int>, in item: Range<Int>? = nil) throws(RuleProblem) -> Int {
        guard let day = RecurrenceRule.weekdayNames.firstIndex(of: string(range).uppercased()) else {
            throw RuleProblem(
                "\(string(item ?? range).excerpt) is not a day of the week: SU, MO, TU, WE, TH, FR, SA", item ?? range)
        }
        return day
    }

    /// `20261231`, `20261231T235959` or `20261231T235959Z`.
    private func until(_ range: Range<Int>) throws(RuleProblem) -> RecurrenceRule.Until {
        let written = string(range).uppercased()
        let problem = RuleProblem(
            "\(written.excerpt) is not a time for UNTIL; write '20261231T235959Z', in UTC", range)
        let digits = written.replacing("T", with: "", maxReplacements: 1).replacing("Z", with: "", maxReplacements: 1)
        let isDay = written.utf8.count == 8
        let isShaped =
            isDay
            || written.utf8.count >= 15 && Array(written.utf8)[8] == UInt8(ascii: "T") && written.utf8.count <= 16
                && (written.utf8.count == 15 || written.hasSuffix("Z"))
        guard isShaped, digits.utf8.count == (isDay ? 8 : 14), digits.utf8.allSatisfy(\.isDigit),
            let packed = Int(digits)
        else { throw problem }
        let date = isDay ? packed : packed / 1_000_000
        let time = isDay ? 0 : packed % 1_000_000
        let local = LocalDateTime(
            date / 10_000, date / 100 % 100, date % 100, time / 10_000, time / 100 % 100, min(time % 100, 59))
        if time % 100 > 60 { throw problem }
        if let reason = local.problem { throw RuleProblem("\(written.excerpt): \(reason)", range) }
        if isDay { return .day(local) }
        return written.hasSuffix("Z") ? .instant(Timestamp(seconds: Int64(local.epochSeconds))) : .local(local)
    }

    private func split(_ range: Range<Int>, at separator: Unicode.Scalar) -> [Range<Int>] {
        text[range].split(separator: separator, omittingEmptySubsequences: false).map { $0.startIndex..<$0.endIndex }
    }

    /// A range of at least one character, so that a diagnostic has something to mark.
    private func clamped(_ range: Range<Int>) -> Range<Int> {
        range.isEmpty
            ? max(0, min(range.lowerBound, text.count - 1))..<max(1, min(range.lowerBound + 1, text.count)) : range
    }

    private func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 12, text[range].allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        return Int(string(range))
    }

    private func string(_ range: Range<Int>) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text[range])
        return String(result)
    }
}
