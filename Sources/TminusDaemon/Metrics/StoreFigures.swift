internal import Synchronization
internal import TminusCore

/// What ``MeasuredStore`` counts.
final class StoreFigures: Sendable {
    /// The verbs of ``Store`` in groups: what is only read is one, so that the number of series stays small.
    enum Verb: String, Sendable, Hashable, CaseIterable {
        case commit, snapshot, recover, read, retry, discard, keep, add, remove, prune
    }

    /// The counts of one verb.
    struct Counts: Sendable {
        /// How long its transactions took.
        var durations = Histogram.transaction
        /// How many failed.
        var errors: UInt64 = 0
    }

    private let counts = Mutex([Counts](repeating: Counts(), count: Verb.allCases.count))

    /// A transaction ended after that time.
    func ended(_ verb: Int, after time: Duration, failed: Bool) {
        counts.withLock { counts in
            counts[verb].durations.observe(time)
            if failed { counts[verb].errors &+= 1 }
        }
    }

    /// The counts so far, by verb.
    var all: [(verb: Verb, counts: Counts)] { Array(zip(Verb.allCases, counts.withLock(\.self))) }
}

extension StoreFigures.Verb {
    /// Its place among all.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
