/// Makes untrusted text safe for a terminal.
package enum SafeText {
    /// Returns one line that cannot move the cursor, change colours or reorder text. Newlines and tabs become spaces,
    /// other invisible characters a replacement mark. If `unicode` is false, every non-ASCII character becomes a mark.
    package static func line(_ text: String, unicode: Bool = true) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var line = ""
        for character in text {
            if let byte = character.asciiValue, byte >= 0x20, byte < 0x7F {
                line.append(character)
            } else if character.isNewline || character == "\t" {
                line.append(" ")
            } else if character.unicodeScalars.contains(where: isHarmful) {
                line.append(unicode ? "\u{FFFD}" : "?")
            } else if unicode {
                line.append(character)
            } else {
                line += String(repeating: "?", count: max(1, DisplayWidth.of(character)))
            }
        }
        return line
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // Keep the joiners of letters and emoji. Bidirectional controls would reorder the whole line.
        case .format: ![0xAD, 0x200C, 0x200D, 0x2060].contains(scalar.value) && !(0xE0020...0xE007F ~= scalar.value)
        default: false
        }
    }
}
