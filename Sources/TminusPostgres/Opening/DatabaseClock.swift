import TminusCore
import TminusStorage

/// The clock of a database, as a session measures it at the start and at each renewal.
struct DatabaseClock {
    /// What learns its distance; nil if the clock is not used.
    let fleet: FleetClock?

    /// Measures it before anything is due by it. The first trips may be slow, so it takes several.
    func measure(over link: DatabaseLink) throws {
        guard fleet != nil else { return }
        try link.transaction(.reading) { transaction in
            for _ in 0..<3 { _ = try measure { try transaction.number(Fence.clock) } }
        }
    }

    /// Measures it by a statement that returns what it shows. Returns whether that returned anything.
    func measure(_ ask: () throws -> Int64?) rethrows -> Bool {
        guard let fleet else { return try ask() != nil }
        return try fleet.measure { try ask().map(Timestamp.init(nanoseconds:)) }
    }
}
