/// Reads a short text byte by byte; only ASCII digits are digits.
struct AsciiScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// A scanner at the beginning of `text`, without the blanks at both ends.
    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        while let byte = rest.last, byte.isBlank { rest.removeLast() }
        bytes = Array(rest.drop(while: \.isBlank))
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { position == bytes.count }

    /// The next byte.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The byte `distance` after the next one.
    func peek(_ distance: Int) -> UInt8? { position + distance < bytes.count ? bytes[position + distance] : nil }

    /// Whether the byte occurs in what is left.
    func contains(_ character: Unicode.Scalar) -> Bool { bytes[position...].contains { $0 == UInt8(ascii: character) } }

    /// What is left, for messages.
    var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

    /// The text from a position on that was read.
    func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    /// Reads the character if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads the run of bytes for which `condition` holds, and returns its length.
    @discardableResult
    mutating func skip(while condition: (UInt8) -> Bool) -> Int {
        let start = position
        while let byte = next, condition(byte) { position += 1 }
        return position - start
    }

    /// Reads `count` bytes, or as many as are left.
    mutating func skip(count: Int) { position = min(position + count, bytes.count) }

    /// Reads blanks (space and tab).
    mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 } }

    /// Reads a run of digits as a number; nil if there is none or it is larger than `limit` (a billion at most).
    mutating func number(upTo limit: Int) -> Int? {
        var value = 0
        var count = 0
        while let byte = next, byte.isDigit {
            value = value * 10 + Int(byte - 0x30)
            guard value <= limit else { return nil }
            position += 1
            count += 1
        }
        return count > 0 ? value : nil
    }

    /// Reads exactly `count` digits (at most 18), which no further digit follows; else reads nothing.
    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count, peek(count)?.isDigit != true else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        position += count
        return value
    }
}

extension UInt8 {
    /// Whether it is one of `0` to `9`.
    var isDigit: Bool { self &- 0x30 < 10 }
    /// Whether it is a space, a tab or an end of line.
    var isBlank: Bool { self == 0x20 || self &- 0x09 < 5 }
    /// Whether it is an ASCII letter.
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}

extension String {
    /// A quoted piece of user's text for a message: at most 40 characters, without control characters.
    var excerpt: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(40) {
            scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return "'\(String(scalars))\(unicodeScalars.count > 40 ? "..." : "")'"
    }
}
