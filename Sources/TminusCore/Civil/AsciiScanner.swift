/// Reads a short text byte by byte. Only ASCII digits count as digits.
struct AsciiScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// Starts at the beginning of `text`, with leading and trailing blanks removed.
    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        while let byte = rest.last, byte.isBlank { rest.removeLast() }
        bytes = Array(rest.drop(while: \.isBlank))
    }

    /// Whether the whole text has been read.
    var isAtEnd: Bool { position == bytes.count }

    /// The next byte; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The byte `distance` after the next one.
    func peek(_ distance: Int) -> UInt8? { position + distance < bytes.count ? bytes[position + distance] : nil }

    /// Whether the byte occurs in the unread text.
    func contains(_ character: Unicode.Scalar) -> Bool { bytes[position...].contains { $0 == UInt8(ascii: character) } }

    /// The unread text, for messages.
    var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

    /// The text that was read since position `start`.
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

    /// Skips `count` bytes, or all that are left.
    mutating func skip(count: Int) { position = min(position + count, bytes.count) }

    /// Skips spaces and tabs.
    mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 } }

    /// Reads a run of digits as a number. Returns nil if there is no digit or the number exceeds `limit` (at most
    /// 10^9).
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

    /// Reads exactly `count` digits (at most 18). If fewer or more digits follow, returns nil and reads nothing.
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
    /// Whether the byte is one of `0` to `9`.
    var isDigit: Bool { self &- 0x30 < 10 }
    /// Whether the byte is a space, a tab or a line break.
    var isBlank: Bool { self == 0x20 || self &- 0x09 < 5 }
    /// Whether the byte is an ASCII letter.
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}

extension String {
    /// The text in quotes, for a message: at most 40 characters, with hidden characters escaped.
    var excerpt: String {
        let head = VisibleText.escaped(String(unicodeScalars.prefix(40)))
        return "'\(head)\(unicodeScalars.count > 40 ? "..." : "")'"
    }
}
