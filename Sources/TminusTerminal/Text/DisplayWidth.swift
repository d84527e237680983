/// The width of text in terminal columns.
package enum DisplayWidth {
    /// Returns the width of a text without control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        // Fast path: most names are ASCII, and a long list needs thousands of widths.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        if text.unicodeScalars.allSatisfy(isSimple) { return text.unicodeScalars.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the width of one grapheme cluster: 0, 1, 2, or more in scripts that combine several letters into one
    /// cluster.
    package static func of(_ character: Character) -> Int {
        if let byte = character.asciiValue { return byte >= 0x20 && byte < 0x7F ? 1 : 0 }
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if isSimple(first), scalars.count == 1 { return 1 }
        // A pair of regional indicators is a flag. Scalars after an emoji only modify it.
        if first.properties.isEmojiPresentation { return 2 }
        if first.properties.isEmoji, scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Whether the scalar is printable ASCII or one of the lines, blocks and braille patterns used for bars and rings.
    /// Each is one column wide and never combines. This avoids a property lookup for every cell of the live view each
    /// second.
    private static func isSimple(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0x2500...0x25A9, 0x2800...0x28FF: true
        default: false
        }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: return 0
        case .format: return drawn.contains(scalar.value) ? 1 : 0
        default: break
        }
        // Hangul vowels and final consonants are drawn inside the syllable that a leading consonant began.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        return isWide(scalar.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= wide[0].lowerBound else { return false }
        return wide.contains { $0.contains(value) }
    }

    /// The visible format characters: the soft hyphen, and Prepended_Concatenation_Mark in PropList.txt.
    private static let drawn: Set<UInt32> = [
        0xAD, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
    ]

    /// The Wide and Fullwidth ranges of EastAsianWidth.txt, Unicode 18 (UAX #11), without emoji and including the
    /// unassigned gaps between them. The tests compare them with data from `write_widths.py`.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x191FF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F1AE...0x1F1AE, 0x1F200...0x1F2FF,
        0x1F7DA...0x1F7DA, 0x20000...0x3FFFD,
    ]
}
