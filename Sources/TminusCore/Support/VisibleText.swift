/// Text from outside, fit for a terminal or a line of a log: nothing in it moves the cursor, changes colours, hides or
/// reorders other text.
///
/// All characters of the Unicode categories C (control, format, private use, unassigned), Zl and Zp are written as `\u{…}`.
/// The joiners U+200C and U+200D stay between two visible characters beyond ASCII: emoji and some scripts need them
/// there.
package enum VisibleText {
    /// `text` on one line; line breaks and tabs become a space. For names and messages.
    package static func line(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        var previous: Unicode.Scalar = " "
        forEach(of: text) { scalar, isHidden in
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\t": result.append(" ")
            default: append(scalar, isHidden, to: &result)
            }
            previous = scalar
        }
        return result
    }

    /// `text` with each hidden character escaped, line breaks too. Where the exact text matters, such as paths.
    package static func escaped(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        forEach(of: text) { append($0, $1, to: &result) }
        return result
    }

    /// A text of several lines; line feeds and tabs stay.
    package static func lines(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return text }
        var result = ""
        forEach(of: text) { append($0, $1 && $0 != "\n" && $0 != "\t", to: &result) }
        return result
    }

    /// Calls `body` with each character of `text`, and whether it must be escaped.
    package static func forEach(of text: String, _ body: (Unicode.Scalar, _ isHidden: Bool) -> Void) {
        var text = text
        text.withUTF8 { utf8 in
            var index = 0
            while index < utf8.count {
                let scalar = Self.scalar(at: index, of: utf8)
                body(scalar, isHidden(scalar, at: index, of: utf8))
                index += UTF8.width(scalar)
            }
        }
    }

    /// `\u{…}` with the number of the character.
    package static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// Whether a character is hidden on its own.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The common scripts first: looking up a category takes most of the time.
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x378, 0x400..<0x530, 0x3041...0x3096, 0x4E00..<0xA000, 0xAC00...0xD7A3:
            return false
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                return true
            default: return false
            }
        }
    }

    /// The character that begins at a place of valid UTF-8.
    static func scalar(at index: Int, of utf8: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar {
        func bits(_ offset: Int) -> UInt32 { index + offset < utf8.count ? UInt32(utf8[index + offset] & 0x3F) : 0 }
        let first = UInt32(utf8[index])
        let value =
            switch first {
            case ..<0x80: first
            case ..<0xE0: (first & 0x1F) << 6 | bits(1)
            case ..<0xF0: (first & 0x0F) << 12 | bits(1) << 6 | bits(2)
            default: (first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3)
            }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// Whether the character at a place of valid UTF-8 must be escaped.
    static func isHidden(_ scalar: Unicode.Scalar, at index: Int, of utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isHidden(scalar) else { return false }
        guard isJoiner(scalar), index > 0 else { return true }
        var start = index - 1
        while start > 0, utf8[start] & 0b1100_0000 == 0b1000_0000 { start -= 1 }
        let next = index + UTF8.width(scalar)
        return
            !(next < utf8.count && isJoined(Self.scalar(at: start, of: utf8))
            && isJoined(Self.scalar(at: next, of: utf8)))
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x80 && !isHidden(scalar) }
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    private static func append(_ scalar: Unicode.Scalar, _ isHidden: Bool, to text: inout String) {
        if isHidden { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
    }
}
