internal import TminusCore

/// Reads JSON (RFC 8259) piece by piece, for shapes of which thousands come at once: no tree is made of them.
struct JSONScanner {
    /// The text is not what was expected at a byte, counted from 0.
    struct Mismatch: Error, Hashable {
        var expected: String
        var offset: Int
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// An object: `body` reads the value of each member.
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

    /// An array: `body` reads each element.
    mutating func array(_ body: (inout JSONScanner) throws -> Void) throws {
        try expect("[", "an array")
        if take("]") { return }
        repeat { try body(&self) } while take(",")
        try expect("]", "the end of an array")
    }

    /// Whether null comes next; then it is taken.
    mutating func takeNull() -> Bool {
        skipBlanks()
        guard bytes[position...].starts(with: "null".utf8) else { return false }
        position += 4
        return true
    }

    /// A text.
    mutating func string() throws -> String {
        try expect("\"", "a text")
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") { return try escapedString(from: start) }
            position += 1
        }
        guard position < bytes.count else { throw mismatch("the end of a text") }
        position += 1
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }

    /// A number, true or false as it is written.
    mutating func word() throws -> String {
        skipBlanks()
        let start = position
        while position < bytes.count, !",]} \n\r\t".utf8.contains(bytes[position]) { position += 1 }
        guard position > start else { throw mismatch("a value") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A number of seconds with up to nine decimals, without an exponent.
    mutating func seconds() throws -> Duration {
        skipBlanks()
        let isNegative = take("-")
        var (value, digits) = (Int64(0), 0)
        var decimals: Int?
        while position < bytes.count, decimals ?? 0 < 9 {
            if bytes[position] == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]), digits < 19 {
                value = value &* 10 &+ Int64(bytes[position] - UInt8(ascii: "0"))
                digits += 1
                if let count = decimals { decimals = count + 1 }
            } else {
                break
            }
            position += 1
        }
        guard digits > 0 else { throw mismatch("a number of seconds") }
        var nanoseconds = value
        for _ in (decimals ?? 0)..<9 {
            let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: 10)
            nanoseconds = overflow ? .max : product
        }
        return .nanoseconds(isNegative ? -nanoseconds : nanoseconds)
    }

    /// A value of no interest.
    mutating func skip() throws {
        skipBlanks()
        switch position < bytes.count ? bytes[position] : 0 {
        case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skip() }
        case UInt8(ascii: "["): try array { try $0.skip() }
        case UInt8(ascii: "\""): _ = try string()
        default: _ = try word()
        }
    }

    /// Nothing but blanks may be left.
    mutating func end() throws {
        skipBlanks()
        guard position == bytes.count else { throw mismatch("nothing more") }
    }

    /// The error that something else stands here.
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

    /// What stands behind `\u`, of which two make one character beyond U+FFFF.
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
