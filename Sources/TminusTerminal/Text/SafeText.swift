/// Texts of other people made fit for a terminal.
package enum SafeText {
    /// One line in which nothing can move the cursor, change colours or turn the direction of writing: line ends and tabs become
    /// spaces, all else that is not to be seen becomes a mark. Without Unicode, other characters become marks as well.
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
        // All but what joins letters and emoji; those that turn the direction would reorder the whole line.
        case .format: ![0xAD, 0x200C, 0x200D, 0x2060].contains(scalar.value) && !(0xE0020...0xE007F ~= scalar.value)
        default: false
        }
    }
}
