extension Row {
    /// Every row. A new theme is named here.
    static let all = [
        writes, replacements, editors, transfers, absences, moves, links, storms, contents, obstacles, kernel, roots,
        states,
    ].flatMap(\.self)
}
