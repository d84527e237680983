import GRDB
import Synchronization
import TminusStorage

extension Durability {
    /// The setting with a write-ahead log (sqlite.org/pragma.html#pragma_synchronous). With both the commit survives the end of
    /// the process.
    fileprivate var synchronous: String {
        switch self {
        case .flushed: "FULL"
        case .ordered: "NORMAL"
        }
    }
}

/// The present durability of a connection, so that it is set only when it changes.
final class DurabilityInForce: Sendable {
    // The setting of `StoreOpening`.
    private let current = Mutex(Durability.flushed)

    /// Sets the durability of later transactions. Call this on the queue of the connection, outside of a transaction.
    func set(_ durability: Durability, _ db: Database) throws {
        try current.withLock { current in
            guard current != durability else { return }
            try db.execute(sql: "PRAGMA synchronous = \(durability.synchronous)")
            current = durability
        }
    }
}
