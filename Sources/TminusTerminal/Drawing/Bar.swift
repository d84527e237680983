/// A bar whose length shows the share that is left.
package enum Bar {
    /// Draws a bar of exactly `width` columns. `share` is clamped to 0...1.
    package static func line(_ share: Double, width: Int, ink: Ink, style: Style) -> Line {
        let width = max(0, width)
        // A braille cell has two columns of dots.
        let halves = Int((min(1, max(0, share)) * Double(width) * 2).rounded())
        // Any time left shows at least half a column.
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
