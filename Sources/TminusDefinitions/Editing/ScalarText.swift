import TminusCore

/// Writes scalars in the way that users write them.
enum ScalarText {
    /// The keys whose values are numbers or Booleans, in JSON as well. Of those of sinks, only what tminus
    /// writes.
    private static let bareKeys: Set<String> = Set(
        DefinitionKeys.tables.filter { ["event", "timer", "stopwatch"].contains($0.name) }.flatMap(\.table.keys).filter
        {
            switch $0.type {
            case .boolean, .integer: true
            default: false
            }
        }.map(\.name)
    ).union(["limit", "max-concurrent"])

    /// A scalar for YAML: plain where that is safe, otherwise in quotes.
    ///
    /// tminus takes the type of a plain scalar from its key. Other readers, and people, may take it for a number or a
    /// Boolean, so such text is quoted. A leading `*` is quoted too, because it would be an alias.
    static func yaml(_ text: String, under key: String?, inFlow: Bool) -> String {
        let isBare = key.map(bareKeys.contains) ?? false
        if isPlain(text, inFlow: inFlow), isBare || !looksOtherwise(text) { return text }
        let needsEscapes = text.unicodeScalars.contains(where: VisibleText.isHidden)
        if !needsEscapes, text.contains("\"") || text.contains("\\") {
            return "'" + text.replacing("'", with: "''") + "'"
        }
        return "\"" + escaped(text) + "\""
    }

    /// `text` as it appears between double quotes in YAML: as in JSON, but with `\U` for what JSON writes as two surrogates
    /// (YAML 1.2.2, section 5.7).
    private static func escaped(_ text: String) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let index = rest.firstIndex(where: { $0.value > 0xFFFF && VisibleText.isHidden($0) }) {
            let digits = String(rest[index].value, radix: 16)
            result += JSONWriter.escaped(String(rest[..<index]))
            result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            rest = rest[rest.index(after: index)...]
        }
        return result + JSONWriter.escaped(String(rest))
    }

    /// A scalar for JSON.
    static func json(_ text: String, under key: String?) -> String {
        if let key, bareKeys.contains(key), text == "true" || text == "false" || Int(text).map(String.init) == text {
            return text
        }
        return "\"" + JSONWriter.escaped(text) + "\""
    }

    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        if first == " " || last == " " || last == ":" { return false }
        if "-?:,[]{}#&*!|>'\"%@`=".unicodeScalars.contains(first) { return false }
        if text.contains(": ") || text.contains(" #") || text.contains("*") { return false }
        if inFlow, text.unicodeScalars.contains(where: { ",[]{}".unicodeScalars.contains($0) }) { return false }
        return !text.unicodeScalars.contains(where: VisibleText.isHidden)
    }

    private static func looksOtherwise(_ text: String) -> Bool {
        let words: Set = ["~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        if words.contains(text.lowercased()) { return true }
        return Double(text) != nil || text.hasPrefix("0x") || text.hasPrefix("0o")
    }
}
