/// Escapes text from files for terminals, logs and JSON.
enum Escaping {
    /// Writes control characters, including bidirectional controls, as `\u{..}`.
    static func visible(_ text: String) -> String {
        // Fast path: most texts are plain ASCII, and looking up categories dominates the cost of rendering.
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.map(visible).joined()
    }

    /// Escapes one character in the same way.
    static func visible(_ scalar: Unicode.Scalar) -> String {
        isHidden(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(Character(scalar))
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    /// `text` as a JSON string, RFC 8259 section 7.
    static func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value <= 0xFFFF && isHidden(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
