internal import TminusCore

/// A pull parser for JSON (RFC 8259). It builds no tree, because thousands of items may arrive at once.
struct JSONScanner {
    /// The text differs from what was expected.
    struct Mismatch: Error, Hashable {
        /// What was expected.
        var expected: String
        /// The byte offset, from 0.
        var offset: Int
    }

    private let bytes: [UInt8]
    private var position = 0

    /// Creates a scanner at the start of a text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads an object. `body` receives each key and must read its value.
    mutating func object(_ body: (inout JSONScanner, String) throws -> Void) throws {
        try expect("{", "an object")
        if take("}") { return }
        repeat {
            let key = try string()
            try expect(":", "a colon")
            try body(&self, key)
        } while take(",")
        try expect("}", "the end of an object")
    }

    /// Reads an array. `body` must read each element.
    mutating func array(_ body: (inout JSONScanner) throws -> Void) throws {
        try expect("[", "an array")
        if take("]") { return }
        repeat { try body(&self) } while take(",")
        try expect("]", "the end of an array")
    }

    /// Consumes a null if it comes next, and returns whether it did.
    mutating func takeNull() -> Bool {
        skipBlanks()
        guard position + 4 <= bytes.count, bytes[position] == UInt8(ascii: "n"),
            bytes[position + 1] == UInt8(ascii: "u"),
            bytes[position + 2] == UInt8(ascii: "l"), bytes[position + 3] == UInt8(ascii: "l")
        else { return false }
        position += 4
        return true
    }

    /// Reads a string.
    mutating func string() throws -> String {
        try expect("\"", "a string")
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") { return try escapedString(from: start) }
            position += 1
        }
        guard position < bytes.count else { throw mismatch("the end of a text") }
        position += 1
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }

    /// Reads a number, true or false, as written.
    mutating func word() throws -> String {
        skipBlanks()
        let start = position
        try skipWord()
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads an instant in the form this program writes: UTC with three or nine decimals (``Timestamp/rfc3339``).
    /// Returns nil and consumes nothing for any other text.
    mutating func utcInstant() -> Timestamp? {
        skipBlanks()
        // "2026-12-01T09:00:00.000Z"
        let dot = position + 20
        guard dot + 5 < bytes.count, bytes[position] == UInt8(ascii: "\""), bytes[dot] == UInt8(ascii: "."),
            bytes[position + 11] == UInt8(ascii: "T")
        else { return nil }
        let decimals = bytes[dot + 4] == UInt8(ascii: "Z") ? 3 : 9
        let end = dot + decimals + 1
        guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "Z"), bytes[end + 1] == UInt8(ascii: "\""),
            bytes[position + 5] == UInt8(ascii: "-"), bytes[position + 8] == UInt8(ascii: "-"),
            bytes[position + 14] == UInt8(ascii: ":"), bytes[position + 17] == UInt8(ascii: ":"),
            let year = digits(position + 1, 4), let month = digits(position + 6, 2), let day = digits(position + 9, 2),
            let hour = digits(position + 12, 2), let minute = digits(position + 15, 2),
            let second = digits(position + 18, 2), let fraction = digits(dot + 1, decimals)
        else { return nil }
        let local = LocalDateTime(year, month, day, hour, minute, second)
        guard local.problem == nil else { return nil }
        position = end + 2
        return Timestamp(
            nanoseconds: Int64(local.epochSeconds) * 1_000_000_000 + Int64(fraction) * (decimals == 3 ? 1_000_000 : 1))
    }

    private func digits(_ start: Int, _ count: Int) -> Int? {
        var value = 0
        for index in start..<start + count {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Reads a number of seconds with up to nine decimals and no exponent.
    mutating func seconds() throws -> Duration {
        skipBlanks()
        let isNegative = take("-")
        var (value, hasDigits) = (Int64(0), false)
        var decimals: Int?
        while position < bytes.count, decimals ?? 0 < 9 {
            if bytes[position] == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else if case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
                value = Self.shifted(value, adding: Int64(digit))
                hasDigits = true
                if let count = decimals { decimals = count + 1 }
            } else {
                break
            }
            position += 1
        }
        guard hasDigits else { throw mismatch("a number of seconds") }
        for _ in (decimals ?? 0)..<9 { value = Self.shifted(value, adding: 0) }
        return .nanoseconds(isNegative ? -value : value)
    }

    /// Appends a digit to a number that is not negative; saturates.
    private static func shifted(_ value: Int64, adding digit: Int64) -> Int64 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(digit)
        return overflow || carry ? .max : sum
    }

    /// The deepest nesting of a skipped value; each level needs stack.
    private static let deepest = 100

    /// Skips a value.
    mutating func skip(_ depth: Int = 0) throws {
        guard depth < Self.deepest else { throw mismatch("at most \(Self.deepest) levels") }
        skipBlanks()
        switch position < bytes.count ? bytes[position] : 0 {
        case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skip(depth + 1) }
        case UInt8(ascii: "["): try array { try $0.skip(depth + 1) }
        case UInt8(ascii: "\""): try skipString()
        default: try skipWord()
        }
    }

    /// Reads a value as it is written.
    mutating func raw() throws -> String {
        skipBlanks()
        let start = position
        try skip()
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipString() throws {
        try expect("\"", "a string")
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw mismatch("the end of a text") }
        position += 1
    }

    private mutating func skipWord() throws {
        let start = position
        scan: while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): break scan
            default: position += 1
            }
        }
        guard position > start else { throw mismatch("a value") }
    }

    /// Throws unless only whitespace is left.
    mutating func end() throws {
        skipBlanks()
        guard position == bytes.count else { throw mismatch("nothing more") }
    }

    /// The error for an unexpected value at this position.
    func mismatch(_ expected: String) -> Mismatch { Mismatch(expected: expected, offset: position) }

    private mutating func escapedString(from start: Int) throws -> String {
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\"), position < bytes.count else {
                text.append(byte)
                continue
            }
            position += 1
            switch bytes[position - 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
            default: text.append(bytes[position - 1])
            }
        }
        throw mismatch("the end of a text")
    }

    /// Reads the digits after `\u`. Two such escapes form a surrogate pair for a character beyond U+FFFF.
    private mutating func scalar() throws -> Character {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
        guard take("\\"), take("u") else { return "\u{FFFD}" }
        let low = try hexadecimal()
        let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
        return Character(Unicode.Scalar(value) ?? "\u{FFFD}")
    }

    private mutating func hexadecimal() throws -> UInt16 {
        guard position + 4 <= bytes.count,
            let unit = UInt16(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
        else { throw mismatch("four hexadecimal digits") }
        position += 4
        return unit
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar, _ what: String) throws {
        guard take(character) else { throw mismatch(what) }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }
}
