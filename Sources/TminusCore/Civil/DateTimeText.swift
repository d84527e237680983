/// A date and time as written under `at`.
public enum DateTimeText: Sendable, Hashable {
    /// A date and time on the clock of the definition's zone.
    case local(LocalDateTime)
    /// An instant, written with an offset from UTC.
    case instant(Timestamp)

    /// Reads `2026-12-01 09:00[:30[.25]]`, the same with `T`, with `Z` or an offset such as `+01:00` (RFC 3339), or a
    /// date alone, which means midnight.
    ///
    /// Errors name the part that does not exist. The years are those of ``LocalDateTime/years``.
    public static func parse(_ text: String) -> Result<DateTimeText, SpanProblem> {
        parse(text, years: LocalDateTime.years)
    }

    /// The same for another range of years. An instant at the ends of the range of a ``Timestamp`` saturates.
    static func parse(_ text: String, years: ClosedRange<Int>) -> Result<DateTimeText, SpanProblem> {
        do throws(SpanProblem) {
            return .success(try read(text, years))
        } catch {
            return .failure(error)
        }
    }

    private static let example = "write a date such as '2026-12-01' or '2026-12-01 09:00'"

    private static func read(_ text: String, _ years: ClosedRange<Int>) throws(SpanProblem) -> DateTimeText {
        guard text.utf8.count <= 128 else { throw SpanProblem("\(text.excerpt) is not a date; \(example)") }
        var scanner = AsciiScanner(text)
        if scanner.isAtEnd { throw SpanProblem("a date is missing; \(example)") }
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2)
        else { throw SpanProblem("\(text.excerpt) is not a date; \(example)") }
        var local = LocalDateTime(year, month, day)
        if scanner.isAtEnd { return .local(try checked(local, text, years)) }

        if !scanner.take("T"), !scanner.take("t") {
            guard scanner.next == 0x20 else { throw SpanProblem("\(text.excerpt) is not a date; \(example)") }
            scanner.skipBlanks()
        }
        guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2) else {
            throw SpanProblem("\(text.excerpt): write the time as HH:MM or HH:MM:SS, such as '09:00'")
        }
        (local.hour, local.minute) = (hour, minute)
        if scanner.take(":") {
            guard let second = scanner.digits(2) else {
                throw SpanProblem("\(text.excerpt): write the time as HH:MM or HH:MM:SS, such as '09:00'")
            }
            local.second = second
            if scanner.take(".") { local.nanosecond = try fraction(&scanner, text) }
        }
        local = try checked(local, text, years)
        if scanner.isAtEnd { return .local(local) }
        let offset = try offset(&scanner, text)
        return .instant(Timestamp(seconds: Int64(local.epochSeconds - offset), nanosecond: Int64(local.nanosecond)))
    }

    private static func checked(
        _ local: LocalDateTime, _ text: String, _ years: ClosedRange<Int>
    ) throws(SpanProblem) -> LocalDateTime {
        if let problem = local.problem(in: years) { throw SpanProblem("\(text.excerpt): \(problem)") }
        return local
    }

    private static func fraction(_ scanner: inout AsciiScanner, _ text: String) throws(SpanProblem) -> Int {
        let start = scanner.position
        let count = scanner.skip(while: \.isDigit)
        guard (1...9).contains(count), var value = Int(scanner.text(from: start)) else {
            throw SpanProblem("\(text.excerpt): a fraction of a second has 1 to 9 digits")
        }
        for _ in count..<9 { value *= 10 }
        return value
    }

    /// The offset of RFC 3339 section 5.6 in seconds east of UTC.
    private static func offset(_ scanner: inout AsciiScanner, _ text: String) throws(SpanProblem) -> Int {
        if scanner.take("Z") || scanner.take("z") {
            if scanner.isAtEnd { return 0 }
        } else if scanner.next == UInt8(ascii: "+") || scanner.next == UInt8(ascii: "-") {
            let sign = scanner.take("-") ? -1 : 1
            if sign == 1 { _ = scanner.take("+") }
            if let hours = scanner.digits(2), scanner.take(":"), let minutes = scanner.digits(2), scanner.isAtEnd {
                guard hours < 24, minutes < 60 else {
                    throw SpanProblem("\(text.excerpt): an offset goes from -23:59 to +23:59")
                }
                return sign * (hours * 3_600 + minutes * 60)
            }
            throw SpanProblem("\(text.excerpt): write the offset as 'Z' or '+01:00'")
        }
        throw SpanProblem(
            "\(text.excerpt): \(scanner.rest.excerpt) after the time is not an offset such as 'Z' or '+01:00'; "
                + "a zone's name goes under 'timezone'")
    }
}
