import Dispatch
package import TminusCore
package import TminusStorage

/// The store in a schema of a PostgreSQL database, for one daemon.
///
/// It has one connection with its own queue, because libpq blocks. All statements of a transaction that need no answer go in
/// one trip with the next that does. Nothing belongs to the session of the connection, except prepared statements.
///
/// A verb that has started runs to its end, even if its task is cancelled: a lost settlement would cause a second
/// delivery.
///
/// A verb's result survives a crash of the server as far as the server's own settings let a commit survive one, except for
/// recent claims and settlements: these do not wait for the disk (`synchronous_commit`). Losing them only repeats
/// deliveries with the same id.
package final class PostgresStore: SQLStore {
    /// What a daemon has to know of its database, beside the results of verbs.
    package enum Event: Sendable {
        /// Another daemon has taken the database over. This one can write no more.
        case takenOver(StoreError)
        /// The database does not answer. The store goes on asking.
        case unreachable
    }

    /// What a database is used for.
    package enum Use: Sendable {
        /// The state of a daemon.
        case daemon
        /// A move reads it. Nothing but the lease is written.
        case moveSource
        /// A move writes it.
        case moveTarget
    }

    /// The address of the database, without a password.
    package let shownAddress: String
    /// The events since the store was opened, for one reader.
    package let events: AsyncStream<Event>
    private let queue = DispatchQueue(label: "tminus.store")
    // Only on the queue.
    private nonisolated(unsafe) let session: Session
    private let lease: Duration

    /// Opens the store, and creates its tables in the schema if there are none. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - machine: Names the place of the daemon's state, which only one running daemon has. It contains no space. A daemon that
    ///     starts there takes over at once from the one before; a daemon of another place waits until the lease is over.
    ///   - process: The host and the process, for messages.
    ///   - run: Tells the runs of one place apart. It contains no space.
    ///   - lease: How long another daemon waits for this one after a crash.
    ///   - use: What it is used for.
    ///   - wait: How it waits for the lease of another daemon; by default until that one has renewed it.
    /// - Throws: A ``StoreError`` if there is no connection, another daemon uses the database, a newer tminus wrote it, or the
    ///   wait was cancelled.
    package init(
        _ address: PostgresAddress, schema: SchemaName = .standard, machine: String, process: String,
        run: String = String(UInt64.random(in: 0 ... .max), radix: 36), lease: Duration = .seconds(10),
        for use: Use = .daemon, wait: LeaseWait = LeaseWait()
    ) throws(StoreError) {
        shownAddress = address.shown
        self.lease = lease
        let holder = Fence.Holder(machine: machine, process: process, run: run)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(8))
        self.events = events
        let session = Session(address, schema: schema, holder: holder, lease: lease) { continuation.yield($0) }
        self.session = session
        let started: Result<Void, StoreError> = queue.sync {
            do throws(StoreError) { return .success(try session.start(use, wait)) } catch { return .failure(error) }
        }
        try started.get()
        renewLater()
    }

    /// Opens the store as ``init(_:schema:machine:process:run:lease:for:wait:)`` does, without blocking the caller's thread.
    package static func opened(
        at address: String, machine: String, process: String, for use: Use = .daemon,
        wait: LeaseWait = LeaseWait()
    ) async throws(StoreError) -> PostgresStore {
        let result: Result<PostgresStore, StoreError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "tminus.store.opening").async {
                let result: Result<PostgresStore, StoreError>
                do throws(StoreError) {
                    result = .success(
                        try PostgresStore(
                            PostgresAddress(address), machine: machine, process: process, for: use, wait: wait))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// What keeps a daemon from using the database at an address; nil if nothing does. Changes nothing, and blocks meanwhile.
    package static func problem(at address: String) -> StoreError? {
        do throws(StoreError) {
            try Session.look(at: PostgresAddress(address))
            return nil
        } catch {
            return error
        }
    }

    /// Renews the lease at every third of it, as long as the store exists.
    private func renewLater() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: lease.milliseconds / 3))) { [weak self] in
            guard let self else { return }
            session.renew()
            renewLater()
        }
    }

    package func snapshot() async throws(StoreError) -> StoreSnapshot { try await read { try $0.snapshot() } }

    package func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        guard !commit.isEmpty else { return Committed() }
        return try await perform { session throws(StoreError) in try session.commit(commit, now: now) }
    }

    /// Ends the lease and closes the connection. Closing again has no effect.
    package func close() async throws(StoreError) {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session.end()
                continuation.resume()
            }
        }
    }

    package func read<Value: Sendable>(
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { session throws(StoreError) in try session.run(.reading, verb) }
    }

    package func write<Value: Sendable>(
        as durability: Durability, _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { session throws(StoreError) in try session.run(.writing(durability), verb) }
    }

    /// Runs `work` to its end on the queue of the connection.
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Session) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.async {
                let result: Result<Value, StoreError>
                do throws(StoreError) {
                    result = .success(try work(self.session))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
