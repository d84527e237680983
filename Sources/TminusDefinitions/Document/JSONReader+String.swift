import TminusCore

/// Strings of RFC 8259, section 7.
extension JSONReader {
    /// Reads the string at the cursor. A string in single quotes is reported but read.
    mutating func string() throws(Stop) -> String {
        let quote = cursor.byte
        if quote == UInt8(ascii: "'") {
            diagnostics.error("JSON takes double quotes only", at: cursor.range(characters: 1))
        }
        let opening = cursor.range(characters: 1)
        cursor.advance()
        var text: [UInt8] = []
        while let byte = cursor.byte {
            if byte == quote {
                cursor.advance()
                return String(decoding: text, as: UTF8.self)
            }
            switch byte {
            case UInt8(ascii: "\\"): escape(into: &text)
            case 0x0A:
                diagnostics.error("the quote that opens here is not closed in its line", at: opening)
                throw Stop()
            case 0..<0x20:
                let name =
                    byte == 0x09 ? "a tab, write \\t" : "a control character, write \\u00" + Self.hexadecimal(byte)
                diagnostics.error("a string may not hold \(name)", at: cursor.range(characters: 1))
                cursor.advance()
            default:
                text.append(byte)
                cursor.advance()
            }
        }
        diagnostics.error("the quote that opens here is never closed", at: opening)
        throw Stop()
    }

    private mutating func escape(into text: inout [UInt8]) {
        let start = cursor
        cursor.advance()
        let byte = cursor.byte
        let simple: UInt8? =
            switch byte {
            case UInt8(ascii: "\""): UInt8(ascii: "\"")
            case UInt8(ascii: "\\"): UInt8(ascii: "\\")
            case UInt8(ascii: "/"): UInt8(ascii: "/")
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: nil
            }
        if let simple {
            text.append(simple)
            cursor.advance()
        } else if byte == UInt8(ascii: "u") {
            unicodeEscape(from: start, into: &text)
        } else {
            diagnostics.error(
                "not an escape sequence of JSON; for a backslash write '\\\\'", at: start.range(characters: 2))
        }
    }

    /// Reads `\uXXXX`, or a surrogate pair for a character beyond U+FFFF.
    private mutating func unicodeEscape(from start: SourceCursor, into text: inout [UInt8]) {
        guard let unit = codeUnit() else {
            diagnostics.error("'\\u' needs four hexadecimal digits", at: start.range(characters: 2))
            return
        }
        var scalar = Unicode.Scalar(UInt32(unit))
        if UTF16.isLeadSurrogate(unit), cursor.byte == UInt8(ascii: "\\"), cursor.peek(1) == UInt8(ascii: "u") {
            var ahead = self
            ahead.cursor.advance()
            if let second = ahead.codeUnit(), UTF16.isTrailSurrogate(second) {
                cursor = ahead.cursor
                scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
            }
        }
        guard let scalar else {
            diagnostics.error("half of a surrogate pair; the other half is missing", at: start.range(characters: 6))
            return
        }
        if scalar == "\0" {
            diagnostics.error("a NUL character is not allowed", at: start.range(characters: 6))
            return
        }
        text.append(contentsOf: Array(String(Character(scalar)).utf8))
    }

    /// The code unit of the four digits after the `u` at the cursor.
    private mutating func codeUnit() -> UInt16? {
        cursor.advance()
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = cursor.byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
            cursor.advance()
        }
        return value
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
