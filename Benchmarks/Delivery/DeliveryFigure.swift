import Foundation

/// A line of the table: the median of several runs, that of a peer in the same runs, and what it is to be.
struct DeliveryFigure {
    /// What is to be.
    enum Target {
        /// The median is at least this.
        case atLeast(Double)
        /// The median is at most this.
        case atMost(Double)
        /// The median is at least this share of the peer's.
        case ratio(Double)
        /// Nothing: it explains another figure.
        case none
    }

    /// What was measured.
    var name: String
    /// The unit of all numbers.
    var unit: String
    /// One for each run.
    var values: [Double]
    /// One of the peer for each run.
    var peer: [Double] = []
    /// What is to be.
    var target: Target

    /// The names of the columns.
    static let heading = row("figure", "unit", "median", "min to max", "peer", "ratio", "target", "")

    /// The figure as a line.
    var line: String {
        let target =
            switch target {
            case .atLeast(let value): "≥ \(Self.number(value))"
            case .atMost(let value): "≤ \(Self.number(value))"
            case .ratio(let value): "ratio ≥ \(value)"
            case .none: "-"
            }
        return Self.row(
            name, unit, Self.number(Self.median(values)),
            "\(Self.number(values.min() ?? 0)) to \(Self.number(values.max() ?? 0))",
            peer.isEmpty ? "-" : Self.number(Self.median(peer)),
            ratio.map { String(format: "%.2f", $0) } ?? "-", target, verdict)
    }

    /// Whether the target is met.
    var isMet: Bool {
        switch target {
        case .atLeast(let value): Self.median(values) >= value
        case .atMost(let value): Self.median(values) <= value
        case .ratio(let value): (ratio ?? 0) >= value
        case .none: true
        }
    }

    private var verdict: String {
        if case .none = target { return "" }
        return isMet ? "met" : "MISSED"
    }

    private var ratio: Double? { peer.isEmpty ? nil : Self.median(values) / Self.median(peer) }

    /// The middle one.
    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func number(_ value: Double) -> String {
        value >= 100 ? "\(Int(value.rounded()))" : String(format: value >= 10 ? "%.1f" : "%.2f", value)
    }

    private static func row(_ cells: String...) -> String {
        let widths = [54, 8, 9, 19, 8, 6, 12, 0]
        return zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            .joined(separator: " ")
    }
}

/// What this process has used of its processors: what of a figure does not depend on what else runs on the machine.
enum Processor {
    /// Seconds, in user and kernel mode, of all threads (getrusage(2)).
    static var seconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
