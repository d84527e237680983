import TminusCore

/// The value of `color`.
enum ColorText {
    /// The names that a terminal and a web page both know.
    static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "grey", "orange", "purple",
        "pink", "brown",
    ]

    /// The colour of a definition; reports what is none.
    static func read(_ reader: MappingReader) -> String? {
        if reader.has("color"), reader.node("color")?.content == .null {
            // At the key: the value is where the line after the comment begins.
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

    /// Whether it is an ASCII digit of a hexadecimal number: `Character.isHexDigit` takes wide forms too.
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
