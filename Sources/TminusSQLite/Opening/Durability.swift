import GRDB
import Synchronization

/// What a commit waits for (sqlite.org/pragma.html#pragma_synchronous, with a write-ahead log).
enum Durability: String, Sendable {
    /// The disk: the commit survives a power cut.
    case flushed = "FULL"
    /// The operating system: the commit survives the end of the process. A power cut loses it only together with all
    /// later commits.
    case ordered = "NORMAL"
}

/// The present durability of a connection, so that it is set only when it changes.
final class DurabilityInForce: Sendable {
    // The setting of `StoreOpening`.
    private let current = Mutex(Durability.flushed)

    /// Sets the durability of later transactions. Call this on the queue of the connection, outside of a transaction.
    func set(_ durability: Durability, _ db: Database) throws {
        try current.withLock { current in
            guard current != durability else { return }
            try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            current = durability
        }
    }
}
