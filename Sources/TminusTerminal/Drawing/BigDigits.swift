/// Large digits, three columns by five rows.
package enum BigDigits {
    /// The five rows of each digit; each row is three bits with the leftmost highest.
    private static let shapes: [Character: [UInt8]] = [
        "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7], "4": [5, 5, 7, 1, 1],
        "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 1, 1], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
        "d": [1, 1, 7, 5, 7],
    ]

    /// Draws digits, colons, spaces and `d` in five rows. Omits all other characters.
    package static func lines(_ text: String, look: Look, style: Style) -> [Line] {
        (0..<5).map { row in
            var line = ""
            for character in text {
                if !line.isEmpty { line += " " }
                switch character {
                case ":": line += row == 1 || row == 3 ? dot(style) : " "
                case " ": line += " "
                default: line += shapes[character].map { pixels($0[row], style) } ?? ""
                }
            }
            return Line(line, look)
        }
    }

    /// The width of such a text in columns.
    package static func width(_ text: String) -> Int {
        text.reduce(-1) { $0 + (shapes[$1] == nil ? 2 : 4) }
    }

    private static func pixels(_ bits: UInt8, _ style: Style) -> String {
        [4, 2, 1].map { bits & $0 == 0 ? " " : style.drawsASCII ? "#" : "⣿" }.joined()
    }

    private static func dot(_ style: Style) -> String { style.drawsASCII ? "o" : "⠶" }
}
