import TminusCore

/// The value of `color`.
enum ColorText {
    /// The names that both terminals and web pages know.
    static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "grey", "orange", "purple",
        "pink", "brown",
    ]

    /// The colour of a definition; an invalid one is reported.
    static func read(_ reader: MappingReader) -> String? {
        if reader.has("color"), reader.node("color")?.content == .null {
            // Reported at the key, because a null value is located after the comment.
            reader.diagnostics.error(
                "'color' is empty; in YAML a '#' begins a comment, so put '#rrggbb' in quotes",
                at: reader.keyRange("color"))
            return nil
        }
        guard let text = reader.text("color") else { return nil }
        if names.contains(text) { return text }
        if text.hasPrefix("#"), text.utf8.count == 7, text.utf8.dropFirst().allSatisfy(isHexDigit) { return text }
        let hint = Suggestion.phrase(for: text, in: names)
        reader.error(
            "'color' must be '#rrggbb' or one of \(names.joined(separator: ", ")), not '\(text)'\(hint)", at: "color")
        return nil
    }

    /// Whether the byte is an ASCII hexadecimal digit. `Character.isHexDigit` also accepts full-width digits.
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
