extension RawPath {
    /// The path as text that can be opened again if it is UTF-8; otherwise as ``shown``.
    var text: String { String(validating: bytes, as: UTF8.self) ?? shown }

    /// The path for output. Bytes that are not UTF-8 become `\xNN`, control and direction characters `\u{N}`, and a
    /// backslash is doubled. So different paths have different texts, and no text moves the terminal's cursor.
    var shown: String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return shownAsASCII }
        if text.unicodeScalars.allSatisfy({ !Self.needsEscape($0) }) { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" {
                escaped += "\\\\"
            } else if Self.needsEscape(scalar) {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Like ``shown``, with all characters beyond ASCII escaped. For names that differ only in their Unicode normal
    /// form, because `String` considers them equal.
    var shownAsASCII: String {
        var escaped = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"): escaped += "\\\\"
            case 0x20..<0x7F: escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
            }
        }
        return escaped
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x5C, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
