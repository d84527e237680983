internal import BenchRows

/// Figures of several runs, each with that of a peer in the same run.
struct Table {
    /// What a figure may be at the most.
    enum Target {
        /// So many times the median of the peer.
        case ratio(Double, of: String)
        /// Anything; the peer is shown.
        case beside(String)
        /// That much.
        case value(Double)
    }

    /// One figure.
    struct Figure {
        var name: String
        var unit: String
        var values: [Double]
        var target: Target?

        /// The value in the middle.
        var median: Double { values.sorted()[values.count / 2] }
    }

    private(set) var rows: [Figure] = []

    /// Adds a figure.
    mutating func add(_ name: String, _ unit: String, _ values: [Double], target: Target? = nil) {
        rows.append(Figure(name: name, unit: unit, values: values, target: target))
    }

    /// The figure of that name.
    func row(_ name: String) -> Figure? { rows.first { $0.name == name } }

    /// Writes all figures as rows of the table.
    func print() {
        for row in rows {
            switch row.target {
            case .ratio(let most, let name):
                guard let other = self.row(name) else { continue }
                Row(row.name, row.unit, row.values, peer: name, other.values, target: .atMostOfPeer(most)).write()
            case .beside(let name):
                Row(row.name, row.unit, row.values, peer: name, self.row(name)?.values ?? []).write()
            case .value(let most): Row(row.name, row.unit, row.values, target: .atMost(most)).write()
            case nil: Row(row.name, row.unit, row.values).write()
            }
        }
    }
}
