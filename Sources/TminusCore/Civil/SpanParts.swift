/// A length of time as written: numbers with units, not yet summed.
struct SpanParts {
    /// A number with a unit: `(whole + fraction / scale)` units.
    struct Part {
        var whole: UInt64
        var fraction: UInt64
        var scale: UInt64
        var unit: SpanUnit

        /// This part in smaller units, `size` of them to one unit of the part: the whole ones, and the rest in
        /// nanoseconds if a smaller unit has `restLength` of them.
        func divided(into size: UInt128, restLength: UInt128) -> (whole: UInt128, rest: UInt128) {
            let parts = UInt128(fraction) * size
            let (quotient, remainder) = parts.quotientAndRemainder(dividingBy: UInt128(scale))
            return (UInt128(whole) * size + quotient, remainder * restLength / UInt128(scale))
        }
    }

    /// The parts in the order of the text.
    var parts: [Part] = []
    /// Whether it was written in ISO 8601, where years and months are calendar units.
    var isISO = false
    /// Whether a month is written as `M` alone.
    var hasBareMonth = false

    /// The maximum length of the text in bytes.
    static let maximumLength = 256

    /// Reads units (`1h 30m`), hours, minutes and seconds (`1:30:00`), or ISO 8601 (`PT1H30M`).
    static func read(_ text: String) -> Result<SpanParts, SpanProblem> {
        guard text.utf8.count <= maximumLength else {
            return .failure(SpanProblem("\(text.excerpt) is too long a text for a length of time"))
        }
        do throws(SpanProblem) {
            var scanner = AsciiScanner(text)
            guard !scanner.isAtEnd else { throw SpanProblem("a length of time is missing; write '1h 30m'") }
            if scanner.next == UInt8(ascii: "-"), let digit = scanner.peek(1), digit.isDigit || digit == 0x50 {
                throw SpanProblem("\(text.excerpt) is negative; a length of time has no sign")
            }
            if scanner.next == UInt8(ascii: "+"), let digit = scanner.peek(1), digit.isDigit || digit == 0x2E {
                _ = scanner.take("+")
            }
            if scanner.next == UInt8(ascii: "P") { return .success(try iso(&scanner, text)) }
            if scanner.next == UInt8(ascii: "p"), scanner.peek(1)?.isDigit == true || scanner.peek(1) == 0x74 {
                throw SpanProblem("\(text.excerpt): write ISO 8601 in capitals, such as 'PT1H30M'")
            }
            if scanner.contains(":") { return .success(try clock(&scanner, text)) }
            return .success(try units(&scanner))
        } catch {
            return .failure(error)
        }
    }

    private static func units(_ scanner: inout AsciiScanner) throws(SpanProblem) -> SpanParts {
        var result = SpanParts()
        while !scanner.isAtEnd {
            let start = scanner.position
            guard scanner.next?.isDigit == true || scanner.next == UInt8(ascii: ".") else {
                throw SpanProblem(
                    "expected a number with a unit, such as '90s' or '1h 30m', not \(scanner.rest.excerpt)")
            }
            let (whole, fraction, scale) = try number(&scanner, separators: ".")
            let digits = scanner.text(from: start)
            scanner.skipBlanks()
            let unitStart = scanner.position
            // The letters of a name; a micro sign has two bytes of 0x80 or more.
            scanner.skip { $0.isLetter || $0 >= 0x80 }
            let name = scanner.text(from: unitStart)
            guard !name.isEmpty else {
                throw SpanProblem("'\(digits)' has no unit: write '\(digits)s' or '\(digits)m'")
            }
            guard let unit = SpanUnit(name: name) else {
                let lowered = name.lowercased()
                let hint =
                    SpanUnit(name: lowered) != nil
                    ? ", did you mean '\(lowered)'?"
                    : Suggestion.phrase(for: String(name.prefix(40)), in: SpanUnit.allNames)
                throw SpanProblem(
                    "unknown unit \(name.excerpt)\(hint.isEmpty ? "; units are s, m, h, d, w, mo, y" : hint)")
            }
            result.hasBareMonth = result.hasBareMonth || name == SpanUnit.bareMonth
            result.parts.append(Part(whole: whole, fraction: fraction, scale: scale, unit: unit))
            scanner.skipBlanks()
        }
        return result
    }

    private static func clock(_ scanner: inout AsciiScanner, _ text: String) throws(SpanProblem) -> SpanParts {
        let problem = SpanProblem(
            "\(text.excerpt): write H:MM:SS, such as '1:30:00', or units, such as '1h 30m'")
        guard let hours = scanner.number(upTo: 9_999_999), scanner.take(":"), let minutes = scanner.digits(2),
            scanner.take(":"), scanner.peek(0)?.isDigit == true, scanner.peek(1)?.isDigit == true,
            scanner.peek(2)?.isDigit != true
        else { throw problem }
        let (seconds, fraction, scale) = try number(&scanner, separators: ".")
        guard scanner.isAtEnd else { throw problem }
        guard minutes < 60 else { throw SpanProblem("\(text.excerpt): minutes go from 00 to 59") }
        guard seconds < 60 else { throw SpanProblem("\(text.excerpt): seconds go from 00 to 59") }
        return SpanParts(parts: [
            Part(whole: UInt64(hours), fraction: 0, scale: 1, unit: .hour),
            Part(whole: UInt64(minutes), fraction: 0, scale: 1, unit: .minute),
            Part(whole: seconds, fraction: fraction, scale: scale, unit: .second),
        ])
    }

    /// ISO 8601-1:2019 section 5.5.2. Weeks may be combined with other parts (ISO 8601-2:2019).
    private static func iso(_ scanner: inout AsciiScanner, _ text: String) throws(SpanProblem) -> SpanParts {
        let example = "write ISO 8601 such as 'P1DT2H30M', with the parts in order"
        let date: [(Unicode.Scalar, SpanUnit)] = [("Y", .year), ("M", .month), ("W", .week), ("D", .day)]
        let time: [(Unicode.Scalar, SpanUnit)] = [("H", .hour), ("M", .minute), ("S", .second)]
        var result = SpanParts(isISO: true)
        var designators = date[...]
        var isAfterT = false
        var needsPart = true
        var hadFraction = false
        _ = scanner.take("P")
        while !scanner.isAtEnd {
            if !isAfterT, scanner.take("T") {
                isAfterT = true
                needsPart = true
                designators = time[...]
                continue
            }
            if scanner.next == UInt8(ascii: "-") {
                throw SpanProblem("\(text.excerpt) has a negative part; a length of time has no sign")
            }
            guard !hadFraction else { throw SpanProblem("\(text.excerpt): only the last part may have a fraction") }
            guard scanner.next?.isDigit == true else { throw SpanProblem("\(text.excerpt): \(example)") }
            let (whole, fraction, scale) = try number(&scanner, separators: ".,")
            hadFraction = scale > 1
            guard let index = designators.firstIndex(where: { scanner.take($0.0) }) else {
                throw SpanProblem("\(text.excerpt): \(example)")
            }
            result.parts.append(Part(whole: whole, fraction: fraction, scale: scale, unit: designators[index].1))
            designators = designators[(index + 1)...]
            needsPart = false
        }
        guard !needsPart else { throw SpanProblem("\(text.excerpt): \(example)") }
        return result
    }

    /// A decimal number. Fraction digits after the eighteenth are ignored.
    private static func number(
        _ scanner: inout AsciiScanner, separators: String
    ) throws(SpanProblem) -> (whole: UInt64, fraction: UInt64, scale: UInt64) {
        let start = scanner.position
        scanner.skip(while: \.isDigit)
        let digits = scanner.text(from: start)
        guard let whole = digits.isEmpty ? 0 : UInt64(digits) else {
            throw SpanProblem("\(digits.excerpt) is too large a number")
        }
        guard let separator = separators.unicodeScalars.first(where: { scanner.take($0) }) else { return (whole, 0, 1) }
        var fraction: UInt64 = 0
        var scale: UInt64 = 1
        let fractionStart = scanner.position
        while let byte = scanner.next, byte.isDigit {
            if scale < 1_000_000_000_000_000_000 {
                fraction = fraction * 10 + UInt64(byte - 0x30)
                scale *= 10
            }
            scanner.skip(count: 1)
        }
        guard scanner.position > fractionStart else {
            throw SpanProblem("expected a digit after '\(digits)\(separator)'")
        }
        return (whole, fraction, scale)
    }
}
