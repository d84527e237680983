internal import Foundation

/// A figure of the table that `scripts/bench-table` prints: one value for each of several runs, and those of a peer in the same
/// runs.
package struct Row: Encodable, Sendable {
    /// What is to be of the median.
    package enum Target: Sendable {
        /// At most this.
        case atMost(Double)
        /// At least this.
        case atLeast(Double)
        /// At most so many times the median of the peer.
        case atMostOfPeer(Double)
        /// At least so many times the median of the peer.
        case atLeastOfPeer(Double)
        /// Nothing: it explains another figure.
        case none
    }

    /// What was measured.
    package var figure: String
    /// The unit of all values.
    package var unit: String
    /// One for each run.
    package var values: [Double]
    /// What was measured beside it.
    package var peer: String?
    /// One of the peer for each run.
    package var peerValues: [Double]
    /// What is to be.
    package var target: Target

    package init(
        _ figure: String, _ unit: String, _ values: [Double], peer: String? = nil, _ peerValues: [Double] = [],
        target: Target = .none
    ) {
        self.figure = figure
        self.unit = unit
        self.values = values
        self.peer = peer
        self.peerValues = peerValues
        self.target = target
    }

    /// Writes it to standard output: a line of JSON.
    package func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(self) else { fatalError("\(figure) has a value that is no number") }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }

    private enum CodingKeys: String, CodingKey {
        case figure, unit, values, peer, sense, target
        case peerValues = "peer-values"
        case isRatio = "ratio"
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: CodingKeys.self)
        try row.encode(figure, forKey: .figure)
        try row.encode(unit, forKey: .unit)
        try row.encode(values, forKey: .values)
        if let peer {
            try row.encode(peer, forKey: .peer)
            try row.encode(peerValues, forKey: .peerValues)
        }
        let parts: (sense: String, target: Double, isRatio: Bool)? =
            switch target {
            case .atMost(let value): ("<=", value, false)
            case .atLeast(let value): (">=", value, false)
            case .atMostOfPeer(let value): ("<=", value, true)
            case .atLeastOfPeer(let value): (">=", value, true)
            case .none: nil
            }
        guard let parts else { return }
        try row.encode(parts.sense, forKey: .sense)
        try row.encode(parts.target, forKey: .target)
        try row.encode(parts.isRatio, forKey: .isRatio)
    }
}

/// How often a benchmark measures.
package enum Runs {
    /// Whether `BENCH_QUICK` asks for fewer runs than figures are told by.
    package static var areFew: Bool { !(ProcessInfo.processInfo.environment["BENCH_QUICK"] ?? "").isEmpty }

    /// So many runs, or two where few are asked for.
    package static func of(_ count: Int) -> Int { areFew ? min(count, 2) : count }
}
