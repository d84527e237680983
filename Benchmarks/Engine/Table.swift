/// Figures of several runs, each with that of a peer in the same run.
struct Table {
    /// What a figure may be at the most.
    enum Target {
        /// So many times the median of the peer.
        case ratio(Double, of: String)
        /// That much.
        case value(Double)
    }

    /// One figure.
    struct Row {
        var name: String
        var unit: String
        var values: [Double]
        var target: Target?

        /// The value in the middle.
        var median: Double { values.sorted()[values.count / 2] }
    }

    private(set) var rows: [Row] = []

    /// Adds a figure.
    mutating func add(_ name: String, _ unit: String, _ values: [Double], target: Target? = nil) {
        rows.append(Row(name: name, unit: unit, values: values, target: target))
    }

    /// The figure of that name.
    func row(_ name: String) -> Row? { rows.first { $0.name == name } }

    /// Whether a figure is more than it may be.
    var isAnyMissed: Bool { rows.contains { isMet($0) == false } }

    /// Prints all figures.
    func print() {
        Swift.print(
            Self.line([
                "figure", "unit", "median", "min", "max", "peer", "its median", "ratio", "target", "",
            ]))
        for row in rows {
            var peer = ["", "", ""]
            var target = ""
            switch row.target {
            case .ratio(let most, let name):
                guard let other = self.row(name) else { continue }
                peer = [name, Self.number(other.median), Self.number(row.median / other.median)]
                target = "x " + Self.number(most)
            case .value(let most): target = Self.number(most)
            case nil: break
            }
            let verdict = isMet(row).map { $0 ? "met" : "MISSED" } ?? ""
            Swift.print(
                Self.line(
                    [
                        row.name, row.unit, Self.number(row.median), Self.number(row.values.min() ?? 0),
                        Self.number(row.values.max() ?? 0),
                    ] + peer + [target, verdict]))
        }
    }

    private func isMet(_ row: Row) -> Bool? {
        switch row.target {
        case .ratio(let most, let name): self.row(name).map { row.median <= most * $0.median }
        case .value(let most): row.median <= most
        case nil: nil
        }
    }

    private static func line(_ cells: [String]) -> String {
        let widths = [36, 5, 9, 9, 9, 30, 11, 7, 8, 6]
        var line = ""
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            let blanks = String(repeating: " ", count: max(0, width - cell.count))
            line += [0, 1, 5, 9].contains(index) ? " " + cell + blanks : blanks + cell + " "
        }
        return line
    }

    private static func number(_ value: Double) -> String {
        let scaled = Int64((value * 100).rounded())
        return "\(scaled / 100).\(scaled % 100 < 10 ? "0" : "")\(scaled % 100)"
    }
}
