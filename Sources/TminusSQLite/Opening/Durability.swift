import GRDB
import Synchronization

/// What a transaction waits for before it is over (sqlite.org/pragma.html#pragma_synchronous, with a write-ahead log).
enum Durability: String, Sendable {
    /// For the disk: it survives a power cut.
    case flushed = "FULL"
    /// For the operating system: it survives the end of the process. A power cut takes it only with all that came after it.
    case ordered = "NORMAL"
}

/// The durability that a connection has, so that it is set only where it changes.
final class DurabilityInForce: Sendable {
    // As `StoreOpening` leaves it.
    private let current = Mutex(Durability.flushed)

    /// Sets it for the transactions to come; on the queue of the connection, outside of a transaction.
    func set(_ durability: Durability, _ db: Database) throws {
        try current.withLock { current in
            guard current != durability else { return }
            try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            current = durability
        }
    }
}
