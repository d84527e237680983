extension Row {
    /// Every row; a new theme is named here.
    ///
    /// | numbers | file | what |
    /// | --- | --- | --- |
    /// | 1–6 | WriteRows | writing in place, at once and slowly |
    /// | 7, 12–15 | ReplaceRows | another file in the place of the old one |
    /// | 8–11 | EditorRows | editors in a terminal |
    /// | 16, 17 | TransferRows | rsync and git |
    /// | 18–22 | AbsenceRows | what looks like a removal or a change and is none |
    /// | 23, 24 | MoveRows | definitions, files and directories that move |
    /// | 25, 26 | LinkRows | links whose targets change |
    /// | 27, 28 | StormRows | edits beside others who never stop |
    /// | 30–32, 34 | ContentRows | broken content, odd names |
    /// | 33 | ObstacleRows | files and directories that cannot be read |
    /// | 35, 36, 46–50 | KernelRows | limits, losses and signals of the system |
    /// | 37–40 | RootRows | the root, its file system and many directories go and come |
    /// | 41 | all of these | rows whose modes are `.both`, by polling |
    /// | 42–45 | StateRows | ids twice, and edits while timers run |
    static let all = [
        writes, replacements, editors, transfers, absences, moves, links, storms, contents, obstacles, kernel, roots,
        states,
    ].flatMap(\.self)
}
