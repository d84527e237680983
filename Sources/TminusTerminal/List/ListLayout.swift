/// Which columns a list has and how wide they are.
struct ListLayout {
    /// What stands in a column, in the order from left to right.
    enum Kind: CaseIterable { case id, name, state, due, remaining }

    /// The texts of one item.
    struct Row {
        var id: String
        var name: String
        var state: String
        var due: String
        var remaining: String
        /// The colour of what matters.
        var ink: Ink

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

    struct Column {
        var kind: Kind
        var width: Int
    }

    private(set) var columns: [Column] = []
    let indent: String

    /// How many columns a name has at the most where there is no width, as in a pipe.
    private static let widestName = 40

    /// What matters most, first: it is the last to go where room is short.
    private static let byImportance: [Kind] = [.id, .remaining, .state, .due, .name]

    /// Columns for these rows that fit into `width`: names and ids are cut first, then the least important columns go.
    init(_ rows: some Sequence<Row>, width: Int?) {
        let kinds = Kind.allCases
        var widest = Array(repeating: 0, count: kinds.count)
        for row in rows {
            for (number, kind) in kinds.enumerated() {
                widest[number] = max(widest[number], DisplayWidth.of(row[kind]))
            }
        }
        var wanted = Dictionary(uniqueKeysWithValues: zip(kinds, widest))
        // One long name does not push the rest of all lines far to the right where nothing else bounds it.
        if width == nil { wanted[.name] = wanted[.name].map { min($0, Self.widestName) } }
        let room = width ?? .max
        indent = room < 30 ? "" : "  "
        var (widths, used) = ([Kind: Int](), indent.count)
        for kind in Self.byImportance {
            guard let width = wanted[kind], width > 0 else { continue }
            let gap = widths.isEmpty ? 0 : 2
            // The others mean nothing when they are cut.
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
