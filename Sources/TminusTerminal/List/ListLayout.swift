/// The columns of a list and their widths.
struct ListLayout {
    /// The kinds of column, from left to right.
    enum Kind: CaseIterable { case id, name, state, due, remaining }

    /// The cell texts of one item.
    struct Row {
        /// The id.
        var id: String
        /// The name; empty if it equals the id.
        var name: String
        /// The state with its overrides.
        var state: String
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
    /// The indentation of each row; empty on a narrow terminal.
    let indent: String

    /// The widest name column if the width is unlimited, as in a pipe.
    private static let widestName = 40

    /// The columns by importance. The last are dropped first if room is short.
    private static let byImportance: [Kind] = [.id, .remaining, .state, .due, .name]

    /// Lays out columns that fit into `width`. Shortens names and ids first, then drops the least important columns.
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
        indent = room < 30 ? "" : "  "
        var (widths, used) = ([Kind: Int](), indent.count)
        for kind in Self.byImportance {
            guard let width = wanted[kind], width > 0 else { continue }
            let gap = widths.isEmpty ? 0 : 2
            // The other columns are unreadable if cut.
            let least = kind == .name ? min(width, 8) : kind == .id ? min(width, max(1, min(6, room - used))) : width
            guard used + gap + least <= room else { continue }
            widths[kind] = least
            used += gap + least
        }
        for kind in [Kind.id, .name] {
            guard let width = widths[kind], let wanted = wanted[kind] else { continue }
            let grown = min(wanted, width + (room - used))
            widths[kind] = grown
            used += grown - width
        }
        columns = Kind.allCases.compactMap { kind in widths[kind].map { Column(kind: kind, width: $0) } }
    }
}
