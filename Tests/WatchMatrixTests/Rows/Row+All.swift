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
    /// | 41 | all of these | rows whose modes are `.both`, by polling |
    static let all = [writes, replacements, editors, transfers, absences, moves, links, storms].flatMap(\.self)
}
