internal import TminusCore
internal import TminusPostgres
internal import TminusSQLite
internal import TminusStorage
internal import TminusSystem

/// `tminus store move`: copies everything that one store has into another one, which must be empty. Both are locked meanwhile, so
/// no daemon can use them. The source stays as it is.
///
/// A target that was not finished is not used by mistake: a file gets its name only once it is whole, and a database is marked.
package struct StoreMove: Sendable {
    /// The store that is read.
    package var source: StoreLocation
    /// The store that is written.
    package var target: StoreLocation

    /// What was moved.
    package struct Result: Sendable {
        /// The number of rows of each table that had any.
        package var counts: [(table: String, rows: Int)] = []
        /// The names of both stores for messages.
        package var source: String
        package var target: String
    }

    /// A move between these places.
    package init(from source: StoreLocation, to target: StoreLocation) {
        self.source = source
        self.target = target
    }

    /// Moves. `waits` is called with a text if it has to wait for a daemon that is no more.
    ///
    /// - Throws: ``ToolError``. What the target has then is not used by a daemon, and the next move begins anew.
    package func run(waits: @escaping @Sendable (String) -> Void) async throws(ToolError) -> Result {
        guard source != target else { throw ToolError(.usage, "a store cannot be moved to where it is") }
        do throws(StoreError) {
            let source = try await open(source: source, waits)
            do throws(StoreError) {
                let target = try await open(target: target, waits)
                do throws(StoreError) { return try await copy(source, target) } catch {
                    await target.abandon()
                    throw error
                }
            } catch {
                await source.abandon()
                throw error
            }
        } catch {
            throw ToolError(error)
        }
    }

    private func copy(_ source: MoveSide, _ target: MoveSide) async throws(StoreError) -> Result {
        var result = Result(source: source.shown, target: target.shown)
        for table in StoredTable.all {
            let rows = try await source.store.copy(table, to: target.store)
            if rows > 0 { result.counts.append((table.name, rows)) }
        }
        try await source.finish()
        try await target.finish()
        return result
    }

    private func open(
        source: StoreLocation, _ waits: @escaping @Sendable (String) -> Void
    ) async throws(StoreError) -> MoveSide {
        switch source {
        case .file(let path):
            guard FilePlacing.isTaken(path) else { throw StoreError(.other, "\(path): there is no store") }
            let lock = try StoreLock(replacing: path)
            guard let store = try SQLiteStore.reading(path: path) else {
                throw StoreError(.other, "\(path): there is no store")
            }
            return MoveSide(store, shown: path, lock: lock)
        case .database(let address):
            let store = try await Self.database(address, for: .moveSource, waits)
            // Another daemon may have begun to write, if the lease was over.
            return MoveSide(store, shown: store.shownAddress) { () async throws(StoreError) in
                try await store.requireLease()
            }
        }
    }

    private func open(
        target: StoreLocation, _ waits: @escaping @Sendable (String) -> Void
    ) async throws(StoreError) -> MoveSide {
        switch target {
        case .file(let path):
            for suffix in ["", "-wal", "-journal"] where FilePlacing.isTaken(path + suffix) {
                throw StoreError(
                    .other, "\(path + suffix): is there already; move it away, or name another file for the store")
            }
            let draft = "\(path).moving"
            let lock = try StoreLock(path: draft)
            // Left by a move that did not end.
            for suffix in ["-wal", "-shm", "-journal"] { FilePlacing.remove(draft + suffix) }
            FilePlacing.empty(draft)
            let side = MoveSide(try SQLiteStore(path: draft), shown: path, lock: lock)
            side.place = { () throws(SystemError) in
                NewFile.takeOwner(of: ParentDirectory.of(path), for: draft)
                try FilePlacing.place(draft, at: path, replaces: false)
            }
            side.remove = { for suffix in ["", "-wal", "-shm"] { FilePlacing.remove(draft + suffix) } }
            return side
        case .database(let address):
            let store = try await Self.database(address, for: .moveTarget, waits)
            do throws(StoreError) { try await store.beginMove() } catch {
                try? await store.close()
                throw error
            }
            return MoveSide(store, shown: store.shownAddress) { () async throws(StoreError) in
                try await store.endMove()
            }
        }
    }

    private static func database(
        _ address: String, for use: PostgresStore.Use, _ waits: @escaping @Sendable (String) -> Void
    ) async throws(StoreError) -> PostgresStore {
        // No daemon has this place, so none that lives is taken over from.
        let place = "move-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let process = "\(MachinePaths.hostName), tminus store move, process \(MachinePaths.processID)"
        let wait = LeaseWait(tell: { news in
            if case .held(let other) = news { waits("waits until the lease of \(other) is over") }
        })
        return try await PostgresStore.opened(at: address, machine: place, process: process, for: use, wait: wait)
    }
}

/// One of the two stores of a move, with its lock.
private final class MoveSide {
    let store: any SQLStore
    /// Its name for messages.
    let shown: String
    /// Gives a finished file its name.
    var place: () throws(SystemError) -> Void = {}
    /// Removes a file that was not finished.
    var remove: () -> Void = {}
    private let end: () async throws(StoreError) -> Void
    private let lock: StoreLock?

    init(
        _ store: any SQLStore, shown: String, lock: consuming StoreLock? = nil,
        end: @escaping () async throws(StoreError) -> Void = { () async throws(StoreError) in }
    ) {
        self.store = store
        self.shown = shown
        self.lock = lock
        self.end = end
    }

    /// Closes the store after everything was copied.
    func finish() async throws(StoreError) {
        try await end()
        try await store.close()
        do throws(SystemError) { try place() } catch { throw StoreError(.other, error.message) }
    }

    /// Closes the store of a move that failed.
    func abandon() async {
        try? await store.close()
        remove()
    }
}
