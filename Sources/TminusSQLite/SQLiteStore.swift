import FoundationEssentials
import GRDB
import Glibc
import Synchronization
package import TminusCore
package import TminusStorage
import TminusSystem

/// The store in one SQLite file.
///
/// It has one connection with its own queue, not a pool. Writes are serialized anyway, and reads are few and short.
/// Each further connection would cost its page cache. An unused connection does nothing, so an idle daemon stays
/// asleep.
///
/// A verb that has started runs to its end, even if its task is cancelled: a lost settlement would cause a second
/// delivery. Therefore the verbs do not use GRDB's `async` accesses, which stop with the task.
///
/// A verb's result survives the end of the process. It also survives a power cut, except for recent claims and
/// settlements: these are written in order, but without waiting for the disk
/// (sqlite.org/pragma.html#pragma_synchronous, NORMAL). Losing them only repeats deliveries: each is pending or claimed
/// as before and is sent again with the same id, and its settlement writes the same consequences again. The next commit
/// with a firing waits for the disk, and makes everything before it durable.
package final class SQLiteStore: SQLStore {
    /// The path of the file.
    package let path: String
    private let queue: DatabaseQueue
    /// The identity of the opened file, to detect that the path leads to another one.
    private let identity: FileIdentity?
    private let isFlushing = DurabilityInForce()
    private let isClosed = Mutex(false)
    private let damage = Mutex(KnownDamage())

    /// What is known of rows that cannot be read.
    private struct KnownDamage {
        /// The number of rows in `damaged`.
        var count = 0
        /// The newest instant that a verb was given.
        var now = Timestamp.distantPast
        /// When all tables were searched last. A search reads the whole history.
        var searched: ContinuousClock.Instant?
    }

    /// Opens the store, and creates it if there is no file, readable and writable by its owner only.
    ///
    /// Blocks meanwhile. `busyTimeout` is how long a verb waits for another program that writes to the file.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        self.path = path
        queue = try StoreOpening(path: path, busyTimeout: busyTimeout).open()
        identity = FileIdentity(path)
    }

    /// Opens an existing store for reading, with or without a daemon that uses it. It creates and changes no file, and
    /// verbs that write fail.
    ///
    /// - Returns: The store; nil if there is no file.
    package static func reading(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) -> SQLiteStore? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == EACCES { throw StoreError.closed(path) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.notFile(path) }
        if access(path, R_OK) != 0 { throw StoreError.closed(path) }
        return SQLiteStore(
            path: path, queue: try StoreOpening(path: path, busyTimeout: busyTimeout).openToRead())
    }

    /// Opens a store that is about to be restored. If it is older, it is brought up to date without a copy: what it comes from
    /// stays.
    package convenience init(restored path: String) throws(StoreError) {
        self.init(
            path: path,
            queue: try StoreOpening(path: path, busyTimeout: .seconds(5), copiesBeforeMigration: false).open())
    }

    private init(path: String, queue: DatabaseQueue) {
        self.path = path
        self.queue = queue
        identity = FileIdentity(path)
    }

    package var damagedRows: Int { damage.withLock(\.count) }

    package func setAsideDamaged(now: Timestamp) async throws(StoreError) -> [DamagedRow] {
        damage.withLock { $0.now = now }
        return try await write(as: .flushed, countsDamage: true) { transaction in
            var endings = Endings()
            let moved = try transaction.setAsideDamaged(.start, now: now, &endings)
            try transaction.promote(&endings)
            return moved
        }
    }

    package func snapshot() async throws(StoreError) -> StoreSnapshot {
        let (snapshot, damaged) = try await read { transaction in
            var damaged: [Int64] = []
            let snapshot = try transaction.snapshot(ScheduleStatements.selection(of: "rowid")) { row in
                damaged.append(try row.number(15))
            }
            return (snapshot, damaged)
        }
        guard !damaged.isEmpty else { return snapshot }
        let now = damage.withLock(\.now)
        // Their definitions start from the beginning, with or without a copy of these rows.
        _ = try? await write(as: .flushed, countsDamage: true) { try $0.setAsideSchedules(damaged, now: now) }
        return snapshot
    }

    package func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        guard !commit.isEmpty else { return Committed() }
        damage.withLock { $0.now = now }
        do {
            return try await writeOnce(as: commit.isDurable ? .flushed : .ordered) { try $0.commit(commit, now: now) }
        } catch {
            guard mayHeal(error) else { throw error }
            return try await writeOnce(as: .flushed, countsDamage: true) { transaction in
                var endings = Endings()
                let moved = try transaction.setAsideDamaged(.all, now: now, &endings)
                guard !moved.isEmpty else { throw error }
                var committed = try transaction.commit(commit, now: now, endings)
                committed.setAside = moved
                return committed
            }
        }
    }

    package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try await prune(retention, now: now, budget: PruneBudget.standard)
        let history = now.advanced(by: .zero - retention.history)
        try await write(as: .ordered, countsDamage: true) { try $0.post(DamageStatements.prune, history) }
    }

    /// Moves the write-ahead log into the file and closes it. Closing again has no effect.
    package func close() async throws(StoreError) {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        var failure: StoreError?
        do {
            if !queue.configuration.readonly {
                try await performUnguarded { db in _ = try db.checkpoint(.truncate) }
            }
        } catch  where error.kind == .locked {
            // A reader prevents the log from being emptied. Nothing is lost, because the next opening continues with
            // it.
        } catch {
            failure = error
        }
        do { try queue.close() } catch { throw StoreError(error, path: path) }
        if let failure { throw failure }
    }
}

extension SQLiteStore {
    package func read<Value: Sendable>(
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await healing { () async throws(StoreError) in
            try await self.perform { try Self.inTransaction(.deferred, $0, verb) }
        }
    }

    package func write<Value: Sendable>(
        as durability: Durability, _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await write(as: durability, countsDamage: false, verb)
    }

    /// Runs a verb that writes. It takes the write lock at the start, where it can still wait for it. `countsDamage` is for verbs
    /// that move rows into `damaged` or out of it.
    private func write<Value: Sendable>(
        as durability: Durability, countsDamage: Bool,
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await healing { () async throws(StoreError) in
            try await self.writeOnce(as: durability, countsDamage: countsDamage, verb)
        }
    }

    /// Runs a verb. If it meets a row that cannot be read, sets all such rows aside and runs the verb again.
    private func healing<Value: Sendable>(
        _ verb: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await verb()
        } catch {
            guard mayHeal(error) else { throw error }
            let now = damage.withLock(\.now)
            let moved = try await writeOnce(as: .flushed, countsDamage: true) { transaction in
                var endings = Endings()
                let moved = try transaction.setAsideDamaged(.all, now: now, &endings)
                try transaction.promote(&endings)
                return moved
            }
            guard !moved.isEmpty else { throw error }
            return try await verb()
        }
    }

    /// Whether damaged rows may be the cause of an error, and a search for them is due.
    private func mayHeal(_ error: StoreError) -> Bool {
        guard error.kind == .damaged, !queue.configuration.readonly else { return false }
        return damage.withLock { damage in
            if let searched = damage.searched, searched.duration(to: .now) < .seconds(600) { return false }
            damage.searched = .now
            return true
        }
    }

    private func writeOnce<Value: Sendable>(
        as durability: Durability, countsDamage: Bool = false,
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { [self] db in
            // SQLite would continue with the unlinked file, and everything written would be lost with the process.
            guard FileIdentity(path) == identity else { throw StoreError.replaced(path) }
            try isFlushing.set(durability, db)
            let value = try Self.inTransaction(.immediate, db, verb)
            // On the queue of the connection, so that a later count is never replaced by an earlier one.
            if countsDamage, let count = try? Transaction(on: SQLiteStatements(db)).damagedCount() {
                damage.withLock { $0.count = count }
            }
            return value
        }
    }

    private static func inTransaction<Value>(
        _ kind: Database.TransactionKind, _ db: Database, _ verb: (Transaction) throws -> Value
    ) throws -> Value {
        var value: Value?
        try db.inTransaction(kind) {
            value = try verb(Transaction(on: SQLiteStatements(db)))
            return .commit
        }
        guard let value else { throw UnreadableRow(what: "an unfinished transaction") }
        return value
    }

    /// Runs `work` to its end on the queue of the connection.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard !isClosed.withLock({ $0 }) else { throw StoreError(.other, "\(path): the store is closed") }
        return try await performUnguarded(work)
    }

    private func performUnguarded<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let path = path
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { db in
                let result: Result<Value, StoreError>
                do { result = .success(try work(db)) } catch { result = .failure(StoreError(error, path: path)) }
                continuation.resume(returning: result)
                LogCheckpoints.makeIfDue(db)
            }
        }
        return try result.get()
    }
}
