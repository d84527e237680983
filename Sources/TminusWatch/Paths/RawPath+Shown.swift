internal import TminusCore

extension RawPath {
    /// The path as text that can be opened again if it is UTF-8; otherwise as ``shown``.
    var text: String { String(validating: bytes, as: UTF8.self) ?? shown }

    /// The path for output. Bytes that are not UTF-8 become `\xNN`, hidden characters `\u{N}` (``VisibleText``), and a
    /// backslash is doubled. So different paths have different texts, and no text moves the terminal's cursor.
    var shown: String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return shownAsASCII }
        return VisibleText.escaped(text.replacing("\\", with: "\\\\"))
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
}
