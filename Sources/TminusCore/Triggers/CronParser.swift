extension CronExpression {
    /// Reads five fields (minute, hour, day of month, month, day of week), six with seconds first, or one of `@yearly`,
    /// `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight`, `@hourly`.
    ///
    /// A field is a list of `*`, numbers and ranges; `*` and ranges may have a step. Months and days of the week have
    /// three-letter names. An expression that matches no existing date is an error.
    public static func parse(_ text: String) -> Result<CronExpression, RuleProblem> {
        do throws(RuleProblem) {
            return .success(try CronParser(text).expression())
        } catch {
            return .failure(error)
        }
    }
}

/// Reads a cron expression.
private struct CronParser {
    private let text: [Unicode.Scalar]
    private let fields: [Range<Int>]

    init(_ source: String) {
        text = Array(source.unicodeScalars.prefix(1_024))
        var fields: [Range<Int>] = []
        var start: Int?
        for (index, scalar) in text.enumerated() {
            if scalar == " " || scalar == "\t" {
                if let begin = start { fields.append(begin..<index) }
                start = nil
            } else if start == nil {
                start = index
            }
        }
        if let start { fields.append(start..<text.count) }
        self.fields = fields
    }

    func expression() throws(RuleProblem) -> CronExpression {
        guard let first = fields.first, let last = fields.last else {
            throw RuleProblem(
                "a cron expression is missing; write five fields such as '30 9 * * MON-FRI'", 0..<text.count)
        }
        if text.count == 1_024 { throw RuleProblem("a cron expression has less than 1,024 characters", 0..<text.count) }
        if text[first.lowerBound] == "@" { return try macro(first.lowerBound..<last.upperBound) }
        if string(first).contains("=") {
            throw RuleProblem("\(string(first).excerpt) does not belong here; a zone goes under 'timezone'", first)
        }
        guard fields.count == 5 || fields.count == 6 else {
            throw RuleProblem(
                "a cron expression has 5 fields (minute, hour, day of month, month, day of week), or 6 with seconds first; "
                    + "this has \(fields.count)", first.lowerBound..<last.upperBound)
        }
        let offset = fields.count - 5
        let expression = CronExpression(
            second: offset == 1 ? try field(.second, fields[0]) : nil, minute: try field(.minute, fields[offset]),
            hour: try field(.hour, fields[offset + 1]), dayOfMonth: try field(.dayOfMonth, fields[offset + 2]),
            month: try field(.month, fields[offset + 3]), dayOfWeek: try field(.dayOfWeek, fields[offset + 4]))
        if let reason = expression.neverReason {
            throw RuleProblem("never fires: \(reason)", fields[offset + 2].lowerBound..<fields[offset + 3].upperBound)
        }
        return expression
    }

    private static let macros = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
        "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
    ]

    private func macro(_ range: Range<Int>) throws(RuleProblem) -> CronExpression {
        let name = string(range)
        if let fields = Self.macros[name] { return try CronParser(fields).expression() }
        if name == "@reboot" {
            throw RuleProblem("'@reboot' is not a time; a timer starts when it is first loaded", range)
        }
        if name.hasPrefix("@every") { throw RuleProblem("\(name.excerpt) is not known; use the key 'every'", range) }
        throw RuleProblem(
            "\(name.excerpt) is not known\(Suggestion.phrase(for: name, in: Self.macros.keys.sorted())); "
                + "there are @yearly, @monthly, @weekly, @daily and @hourly", range)
    }

    private func field(_ kind: CronFieldKind, _ range: Range<Int>) throws(RuleProblem) -> CronExpression.Field {
        var set: UInt64 = 0
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound where index == range.upperBound || text[index] == "," {
            set |= try item(kind, start..<index, of: range)
            start = index + 1
        }
        if kind == .dayOfWeek, set >> 7 & 1 == 1 { set = set & 0x7F | 1 }
        return CronExpression.Field(set: set, isStar: text[range.lowerBound] == "*")
    }

    /// `*`, `a`, `a-b`, `*/n` or `a-b/n`.
    private func item(_ kind: CronFieldKind, _ range: Range<Int>, of field: Range<Int>) throws(RuleProblem) -> UInt64 {
        if range.isEmpty { throw RuleProblem("an item of the list for the \(kind.name) is empty", field) }
        if let hint = kind.hint(for: string(range)) { throw RuleProblem(hint, range) }
        var body = range
        var step = 1
        if let slash = text[range].firstIndex(of: "/") {
            body = range.lowerBound..<slash
            let stepRange = slash + 1..<range.upperBound
            guard let number = number(stepRange), number > 0 else {
                throw RuleProblem("\(string(stepRange).excerpt) is not a step; write a number from 1", range)
            }
            step = number
        }
        let bounds: ClosedRange<Int>
        if body.count == 1, text[body.lowerBound] == "*" {
            bounds = kind.values
        } else if let dash = text[body].firstIndex(of: "-") {
            let (low, high) = (
                try value(kind, body.lowerBound..<dash, of: range),
                try value(kind, dash + 1..<body.upperBound, of: range)
            )
            guard low <= high else {
                throw RuleProblem(
                    "\(string(body).excerpt) runs backwards\(kind.advice(low: low, high: high, step: step))", body)
            }
            bounds = low...high
        } else {
            let low = try value(kind, body, of: range)
            if body.upperBound < range.upperBound {
                throw RuleProblem(
                    "\(string(range).excerpt) has a step without a range; "
                        + "write '\(low)-\(kind.values.upperBound)/\(step)', or '\(low)' alone", range)
            }
            bounds = low...low
        }
        var set: UInt64 = 0
        for value in stride(from: bounds.lowerBound, through: bounds.upperBound, by: min(step, 64)) {
            set |= 1 << UInt64(value)
        }
        return set
    }

    private func value(_ kind: CronFieldKind, _ range: Range<Int>, of item: Range<Int>) throws(RuleProblem) -> Int {
        let written = string(range)
        if let number = number(range) {
            guard kind.values.contains(number) else {
                throw RuleProblem(
                    "\(written) is out of range for the \(kind.name): "
                        + "\(kind.values.lowerBound)–\(kind.values.upperBound)", range)
            }
            return number
        }
        if let index = kind.names.firstIndex(of: written.uppercased()) { return index + (kind == .month ? 1 : 0) }
        if range.isEmpty { throw RuleProblem("\(string(item).excerpt) has a range without an end", item) }
        let suggestion = Suggestion.phrase(for: written, in: kind.names)
        throw RuleProblem("\(written.excerpt) is not a value for the \(kind.name)\(suggestion)", range)
    }

    private func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, text[range].allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return range.count > 9 ? 999_999_999 : Int(string(range))
    }

    private func string(_ range: Range<Int>) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text[range])
        return String(result)
    }
}

extension CronExpression {
    /// Why no date matches; nil if one does.
    var neverReason: String? {
        guard needsBothDays else { return nil }
        // Every date falls on every day of the week in some year, so only the lengths of the months matter.
        let longest = BitSet64.elements(of: month.set).map { CivilDay.count(inMonth: $0, of: 2000) }.max() ?? 0
        let day = dayOfMonth.set.trailingZeroBitCount
        return day > longest ? "none of its months has a day \(day)" : nil
    }
}
