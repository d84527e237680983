/// A bar that shows by its length how much is left.
package enum Bar {
    /// A bar of exactly that width; the share is from 0 to 1.
    package static func line(_ share: Double, width: Int, ink: Ink, style: Style) -> Line {
        let width = max(0, width)
        // Braille has half columns.
        let halves = Int((min(1, max(0, share)) * Double(width) * 2).rounded())
        // What is left at all is seen.
        let filled = share > 0 ? max(1, halves) : 0
        let (full, empty) = style.drawsASCII ? ("#", "-") : ("⣿", "⠤")
        let hasHalf = filled % 2 == 1 && filled / 2 < width
        var line = Line(
            String(repeating: full, count: min(width, filled / 2)) + (hasHalf ? style.drawsASCII ? "+" : "⡧" : ""),
            Look(ink))
        line.append(String(repeating: empty, count: max(0, width - line.width)), .faint)
        return line
    }
}
