/// The day and the time that the words of a plain date name, each at most once.
struct PlainDateParts {
    /// A time of day.
    struct Time {
        var hour: Int
        var minute: Int
        var second: Int
    }

    /// Which of several days with the same name is meant.
    enum Step {
        /// The first one that is still to come.
        case coming
        /// The first from today on.
        case this
        /// The first after today.
        case next
    }

    /// A day, as it was named.
    enum Day {
        /// A distance from today.
        case offset(days: Int, months: Int)
        /// 0 is Sunday.
        case weekday(Int, Step)
        /// A date with its year.
        case date(LocalDateTime)
        /// A date without a year.
        case monthDay(month: Int, day: Int)
    }

    /// The text as it was written, for messages.
    let text: String
    /// The day.
    private(set) var day: Day?
    /// The time of day.
    private(set) var time: Time?
    /// The weekday written next to a date.
    private(set) var besideWeekday: Int?
    /// Whether a day without a time keeps the current time of day.
    private(set) var keepsClock = false

    init(text: String) { self.text = text }

    /// Reads a lower-case word, and the words after it that belong to it.
    mutating func take(_ word: String, followedBy rest: inout ArraySlice<String>) throws(SpanProblem) {
        if try takeTime(word, followedBy: &rest) { return }
        switch word {
        case "today": return try set(.offset(days: 0, months: 0))
        case "tomorrow": return try set(.offset(days: 1, months: 0))
        case "yesterday": return try set(.offset(days: -1, months: 0))
        case "next", "this": return try take(step: word == "next" ? .next : .this, &rest, after: word)
        default: break
        }
        if let weekday = PlainDateWords.weekday(word) { return try set(.weekday(weekday, .coming)) }
        if let month = PlainDateWords.month(word) {
            guard let number = rest.popFirst(), let day = Self.dayOfMonth(number) else {
                throw problem("a day of the month is missing, as in 'dec 24'")
            }
            return try set(month: month, day: day, &rest)
        }
        if let day = Self.dayOfMonth(word), let next = rest.first, let month = PlainDateWords.month(next.lowercased()) {
            rest.removeFirst()
            return try set(month: month, day: day, &rest)
        }
        if word.utf8.count >= 8, word.utf8.prefix(4).allSatisfy(\.isDigit), word.utf8.dropFirst(4).first == 0x2D {
            guard case .local(let date) = try DateTimeText.parse(word.uppercased()).get() else {
                throw problem("an offset stands behind a date and a time, without a blank")
            }
            if word.contains("t") { try set(Time(hour: date.hour, minute: date.minute, second: date.second)) }
            return try set(.date(LocalDateTime(date.year, date.month, date.day)))
        }
        if word.utf8.allSatisfy(\.isDigit) {
            throw problem(
                "'\(word)' alone is neither a time nor a date; write '\(word):00', '\(word)am' or '\(word) dec'")
        }
        let hint = PlainDateWords.suggestion(for: word)
        throw problem("\(word.excerpt) is not understood\(hint.isEmpty ? "; \(PlainDateWords.examples)" : hint)")
    }

    /// Reads a time of day; returns false if the word is not one.
    mutating func takeTime(_ word: String, followedBy rest: inout ArraySlice<String>) throws(SpanProblem) -> Bool {
        if word == "noon" || word == "midnight" {
            try set(Time(hour: word == "noon" ? 12 : 0, minute: 0, second: 0))
            return true
        }
        var scanner = AsciiScanner(word.replacing(".", with: ""))
        guard let hour = scanner.number(upTo: 99) else { return false }
        var time = Time(hour: hour, minute: 0, second: 0)
        let hasMinutes = scanner.take(":")
        if hasMinutes {
            guard let minute = scanner.digits(2) else { throw problem("write the time as '9:00' or '9:00:30'") }
            time.minute = minute
            if scanner.take(":") {
                guard let second = scanner.digits(2) else { throw problem("write the time as '9:00' or '9:00:30'") }
                time.second = second
            }
        }
        var half = scanner.rest
        if half.isEmpty, let next = rest.first?.lowercased().replacing(".", with: ""), ["am", "pm"].contains(next) {
            half = next
            rest.removeFirst()
        }
        guard half == "am" || half == "pm" || half.isEmpty && hasMinutes else { return false }
        if !half.isEmpty {
            guard (1...12).contains(hour) else { throw problem("with am and pm, hours go from 1 to 12") }
            time.hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        if let wrong = LocalDateTime(2000, 1, 1, time.hour, time.minute, time.second).problem { throw problem(wrong) }
        try set(time)
        return true
    }

    private mutating func take(
        step: Step, _ rest: inout ArraySlice<String>, after word: String
    ) throws(SpanProblem) {
        let name = rest.popFirst()?.lowercased() ?? ""
        if let weekday = PlainDateWords.weekday(name) { return try set(.weekday(weekday, step)) }
        let units = ["week": (7, 0), "month": (0, 1), "year": (0, 12)]
        guard step == .next, let (days, months) = units[name] else {
            throw problem("a weekday is missing behind '\(word)', as in '\(word) friday'")
        }
        keepsClock = true
        try set(.offset(days: days, months: months))
    }

    private mutating func set(month: Int, day: Int, _ rest: inout ArraySlice<String>) throws(SpanProblem) {
        guard let next = rest.first, next.utf8.count == 4, let year = Int(next) else {
            return try set(.monthDay(month: month, day: day))
        }
        rest.removeFirst()
        let date = LocalDateTime(year, month, day)
        if let wrong = date.problem { throw problem(wrong) }
        try set(.date(date))
    }

    private mutating func set(_ new: Day) throws(SpanProblem) {
        switch (day, new) {
        case (nil, _): day = new
        // `Fri 4 Dec` and `4 Dec Fri`.
        case (.weekday(let weekday, .coming), .date), (.weekday(let weekday, .coming), .monthDay):
            besideWeekday = weekday
            day = new
        case (.date, .weekday(let weekday, .coming)), (.monthDay, .weekday(let weekday, .coming)):
            besideWeekday = weekday
        default: throw problem("there are two days in it")
        }
    }

    private mutating func set(_ new: Time) throws(SpanProblem) {
        if time != nil { throw problem("there are two times in it") }
        time = new
    }

    private func problem(_ message: String) -> SpanProblem { SpanProblem("\(text.excerpt): \(message)") }

    /// `24`, `24.`, `24th`.
    private static func dayOfMonth(_ word: String) -> Int? {
        let digits = word.prefix { $0.isNumber }
        guard (1...2).contains(digits.utf8.count),
            ["", ".", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count).lowercased())
        else { return nil }
        return Int(digits)
    }
}
