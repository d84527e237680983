import BenchRows
import Foundation

/// A part of the benchmark, with figures of its own.
protocol DeliveryPart {
    /// Measures once: the same figures each time, each with the values of this run.
    func run() async throws -> [DeliveryFigure]
}

/// A row of the table: values of several runs, those of a peer in the same runs, and what is to be.
struct DeliveryFigure {
    /// What is to be.
    enum Target {
        /// The median is at least this.
        case atLeast(Double)
        /// The median is at most this.
        case atMost(Double)
        /// The median is at least this share of the peer's.
        case ratio(Double)
        /// The median is at most so many times the peer's.
        case ratioAtMost(Double)
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
    /// What the peer is.
    var peerName = "peer"
    /// What is to be.
    var target: Target

    /// It with the values of a later run as well.
    func joined(with later: DeliveryFigure) -> DeliveryFigure {
        var figure = self
        figure.values += later.values
        figure.peer += later.peer
        return figure
    }

    /// The row for the table.
    var row: Row {
        let target: Row.Target =
            switch target {
            case .atLeast(let value): .atLeast(value)
            case .atMost(let value): .atMost(value)
            case .ratio(let value): .atLeastOfPeer(value)
            case .ratioAtMost(let value): .atMostOfPeer(value)
            case .none: .none
            }
        return Row(name, unit, values, peer: peer.isEmpty ? nil : peerName, peer, target: target)
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
