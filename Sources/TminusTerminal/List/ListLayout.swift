/// The columns of a list and their widths.
struct ListLayout {
    /// The kinds of column, from left to right.
    enum Kind: CaseIterable { case id, name, state, reminder, last, due, remaining }

    /// The cell texts of one item.
    struct Row {
        /// Whether the item is marked, because it fails.
        var isMarked: Bool
        /// The dot that shows the lead of its next reminder.
        var dot: Line
        /// The id.
        var id: String
        /// The name; empty if it equals the id.
        var name: String
        /// The state with its overrides and failures.
        var state: String
        /// The lead of the next reminder; empty if there is none.
        var reminder: String
        /// The last outcome; empty if there is none.
        var last: String
        /// The due time; empty if there is none.
        var due: String
        /// The remaining or elapsed time in words.
        var remaining: String
        /// The colour of id, state and remaining time.
        var ink: Ink

        /// The text for a kind of column.
        subscript(kind: Kind) -> String {
            switch kind {
            case .id: id
            case .name: name
            case .state: state
            case .reminder: reminder
            case .last: last
            case .due: due
            case .remaining: remaining
            }
        }
    }

    /// A column that is shown.
    struct Column {
        /// What it shows.
        var kind: Kind
        /// Its width in terminal columns.
        var width: Int
    }

    /// The columns that are shown, from left to right.
    private(set) var columns: [Column] = []
    /// Whether mark and dot share one place, as on a narrow terminal.
    let isNarrow: Bool
    /// The width of the mark and the dot with the blank after them.
    var prefix: Int { isNarrow ? 2 : 4 }

    /// The widest name column if the width is unlimited, as in a pipe.
    private static let widestName = 40

    /// The narrowest column for ids that are longer.
    private static let leastID = 12

    /// The columns by importance. The last are dropped first if room is short.
    private static let byImportance: [Kind] = [.id, .remaining, .state, .due, .name, .last, .reminder]

    /// Lays out columns that fit into `width`. Shortens names, then drops the least important columns. An id is never
    /// cut, because commands need it: one that is wider than its column gets a line of its own, however long that is.
    init(_ rows: some Sequence<Row>, width: Int?) {
        let kinds = Kind.allCases
        var widest = Array(repeating: 0, count: kinds.count)
        for row in rows {
            for (number, kind) in kinds.enumerated() {
                widest[number] = max(widest[number], DisplayWidth.of(row[kind]))
            }
        }
        var wanted = Dictionary(uniqueKeysWithValues: zip(kinds, widest))
        // Without a width limit, one long name would push the rest of every line far to the right.
        if width == nil { wanted[.name] = wanted[.name].map { min($0, Self.widestName) } }
        let room = width ?? .max
        isNarrow = room < 30
        var (widths, used) = ([Kind: Int](), isNarrow ? 2 : 4)
        // One long id does not push out the remaining time and the state of all.
        let beside = [Kind.remaining, .state].reduce(0) { $0 + (wanted[$1].map { $0 > 0 ? $0 + 2 : 0 } ?? 0) }
        let widestID = width == nil ? .max : max(Self.leastID, room - used - beside)
        for kind in Self.byImportance {
            guard let width = wanted[kind], width > 0 else { continue }
            let gap = widths.isEmpty ? 0 : 2
            // The other columns are unreadable if cut.
            let least = kind == .name ? min(width, 8) : kind == .id ? min(width, widestID) : width
            guard kind == .id || used + gap + least <= room else { continue }
            widths[kind] = least
            used += gap + least
        }
        for kind in [Kind.id, .name] {
            guard let width = widths[kind], let wanted = wanted[kind] else { continue }
            let grown = min(wanted, width + max(0, room - used))
            widths[kind] = grown
            used += grown - width
        }
        columns = Kind.allCases.compactMap { kind in widths[kind].map { Column(kind: kind, width: $0) } }
    }
}
