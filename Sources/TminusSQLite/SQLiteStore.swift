import FoundationEssentials
import GRDB
import Glibc
import Synchronization
package import TminusCore
import TminusSystem

/// The store in one SQLite file.
///
/// One connection with a queue of its own, not a pool: the writes are one after another in any case, the reads are
/// few and short, every further connection would cost its page cache, and a connection that nobody uses does nothing,
/// so an idle daemon stays asleep.
///
/// A verb that has begun is finished, also when the task that called it is cancelled: a settlement that got lost would be
/// a second delivery. That is why the verbs do not go through GRDB's `async` accesses, which stop with the task.
///
/// What a verb has returned from survives the end of the process. It survives a power cut as well, but for claims and settlements
/// of the last seconds: these are written without waiting for the disk, in their order with everything else
/// (sqlite.org/pragma.html#pragma_synchronous, NORMAL). What is lost of them only repeats: the delivery is pending or claimed as
/// before, goes out again with the same id, and its settlement writes again what follows from it. The next firing that is
/// recorded, which does wait, takes all that came before it along.
package final class SQLiteStore: Store {
    /// The path of the file.
    package let path: String
    private let queue: DatabaseQueue
    /// Which file was opened, to notice when it is no longer the one at the path.
    private let identity: FileIdentity?
    private let isFlushing = DurabilityInForce()
    private let isClosed = Mutex(false)

    /// Opens the store, and makes it if there is no file: readable and writable by its owner only.
    ///
    /// Blocks while it does. `busyTimeout`: how long a verb waits for another program that writes to the file.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        self.path = path
        queue = try StoreOpening(path: path, busyTimeout: busyTimeout).open()
        identity = FileIdentity(path)
    }

    /// Opens an existing store to read it, beside the daemon that uses it or without one. Neither the file nor anything beside
    /// it is made or changed, and verbs that write fail.
    ///
    /// - Returns: nil if there is no file.
    package static func reading(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) -> SQLiteStore? {
        guard FileIdentity(path) != nil else {
            if errno == EACCES { throw StoreError.closed(path) }
            return nil
        }
        if access(path, R_OK) != 0 { throw StoreError.closed(path) }
        return SQLiteStore(
            path: path, queue: try StoreOpening(path: path, busyTimeout: busyTimeout).openToRead())
    }

    private init(path: String, queue: DatabaseQueue) {
        self.path = path
        self.queue = queue
        identity = FileIdentity(path)
    }

    package func snapshot() async throws(StoreError) -> StoreSnapshot {
        try await read { try $0.snapshot() }
    }

    package func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        guard !commit.isEmpty else { return Committed() }
        let prepared: PreparedCommit
        do {
            prepared = try PreparedCommit(commit)
        } catch {
            throw StoreError(.other, "\(path): cannot encode a commit: \(error)")
        }
        return try await write(as: commit.isDurable ? .flushed : .ordered) { try $0.commit(prepared, now: now) }
    }

    package func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try await write { try $0.release(which, owner: owner, now: now) }
    }

    package func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try await write { try $0.releaseFutureWaits(now: now) }
    }

    package func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        guard let ids = filter.ids else { return try await read { try $0.deliveries(filter, numbers: nil) } }
        var search = DeliverySearch(ids)
        var isMore = true
        while isMore {
            let current = search
            (search, isMore) = try await read { transaction in
                var next = current
                let isMore = try next.step(transaction, PruneBudget(PruneBudget.standard))
                return (next, isMore)
            }
        }
        let numbers = search.numbers
        return try await read { try $0.deliveries(filter, numbers: numbers) }
    }

    package func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        try await write { try $0.retry(ids, now: now) }
    }

    package func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded {
        try await write { try $0.discard(filter, now: now) }
    }

    package func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try await read { try $0.history(of: definition, before: instant, limit: limit) }
    }

    package func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try await read { try $0.keptFiles(root: root) }
    }

    package func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError) {
        guard !changed.isEmpty || !forget.isEmpty else { return }
        try await write { try $0.keep(changed, forget: forget, root: root, now: now) }
    }

    package func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try await read { try $0.adHocDefinitions() }
    }

    package func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try await write { try $0.write(definition) }
    }

    package func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try await write { try $0.removeAdHoc(ids) }
    }

    /// In many short transactions, none of which waits for the disk: what a power cut brings back is removed by the next pruning.
    package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try await prune(retention, now: now, budget: PruneBudget.standard)
    }

    /// `budget`: how long one transaction may go on.
    func prune(_ retention: Retention, now: Timestamp, budget: Duration) async throws(StoreError) {
        let history = now.advanced(by: .zero - retention.history)
        let removed = now.advanced(by: .zero - retention.removedSchedules)
        try await step(PruneCursor()) { try $0.step($1, before: history, PruneBudget(budget)) }
        if retention.firingsOfOne < .max {
            try await step(SurplusCursor()) { try $0.step($1, keeping: retention.firingsOfOne, PruneBudget(budget)) }
        }
        while try await write(as: .ordered, { try $0.pruneOmissions(before: history) }) {}
        try await write(as: .ordered) { try $0.pruneSchedulesAndSinks(removedBefore: removed) }
    }

    /// Takes steps with a cursor, each in a transaction of its own, until one returns false.
    private func step<Cursor: Sendable>(
        _ cursor: Cursor, _ work: @escaping @Sendable (inout Cursor, Transaction) throws -> Bool
    ) async throws(StoreError) {
        var cursor = cursor
        var isMore = true
        while isMore {
            let current = cursor
            (cursor, isMore) = try await write(as: .ordered) { transaction in
                var next = current
                let isMore = try work(&next, transaction)
                return (next, isMore)
            }
        }
    }

    /// Moves what is in the write-ahead log into the file and closes it. Closing again does nothing.
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
            // Somebody reads and keeps the log from being emptied; nothing is lost, the next opening goes on with it.
        } catch {
            failure = error
        }
        do { try queue.close() } catch { throw StoreError(error, path: path) }
        if let failure { throw failure }
    }
}

extension SQLiteStore {
    /// A verb that only reads. It sees one state of the store.
    func read<Value: Sendable>(
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { try Self.inTransaction(.deferred, $0, verb) }
    }

    /// A verb that writes. It takes the write lock at its beginning, where waiting for it still can be done.
    func write<Value: Sendable>(
        as durability: Durability = .flushed, _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        let (path, identity, isFlushing) = (path, identity, isFlushing)
        return try await perform { db in
            // SQLite would go on with the unlinked file, and all that it writes would be gone with the process.
            guard FileIdentity(path) == identity else { throw StoreError.replaced(path) }
            try isFlushing.set(durability, db)
            return try Self.inTransaction(.immediate, db, verb)
        }
    }

    private static func inTransaction<Value>(
        _ kind: Database.TransactionKind, _ db: Database, _ verb: (Transaction) throws -> Value
    ) throws -> Value {
        var value: Value?
        try db.inTransaction(kind) {
            value = try verb(Transaction(db: db))
            return .commit
        }
        guard let value else { throw UnreadableRow(what: "an unfinished transaction") }
        return value
    }

    /// Performs `work` on the queue of the connection, to its end.
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
            }
        }
        return try result.get()
    }
}
