/// How many columns of a terminal a text takes.
package enum DisplayWidth {
    /// The columns of a text without control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        // Most names are ASCII, and a long list asks for thousands of widths.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        if text.unicodeScalars.allSatisfy(isSimple) { return text.unicodeScalars.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character as a person sees it: 0, 1, 2, or more where a script stacks several letters into one.
    package static func of(_ character: Character) -> Int {
        if let byte = character.asciiValue { return byte >= 0x20 && byte < 0x7F ? 1 : 0 }
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if isSimple(first), scalars.count == 1 { return 1 }
        // A pair of regional indicators is a flag, and what follows an emoji only changes how it looks.
        if first.properties.isEmojiPresentation { return 2 }
        if first.properties.isEmoji, scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Whether it is printable ASCII or of the lines, blocks and Braille patterns that bars and rings are drawn with: one column
    /// each, and nothing joins them. Their properties would be looked up for every cell of the live view, each second.
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
        // The vowels and endings of Hangul are drawn into the syllable that a consonant has begun.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        return isWide(scalar.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= wide[0].lowerBound else { return false }
        return wide.contains { $0.contains(value) }
    }

    /// The format characters that are drawn: the soft hyphen, and Prepended_Concatenation_Mark of PropList.txt.
    private static let drawn: Set<UInt32> = [
        0xAD, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
    ]

    /// What is Wide or Fullwidth in EastAsianWidth.txt of Unicode 18 (UAX #11) and no emoji, with the unassigned gaps between;
    /// held against `write_widths.py` of the tests.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x191FF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F1AE...0x1F1AE, 0x1F200...0x1F2FF,
        0x1F7DA...0x1F7DA, 0x20000...0x3FFFD,
    ]
}
