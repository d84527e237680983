import Dispatch
import Synchronization
package import TminusCore
package import TminusStorage

/// The store in a schema of a PostgreSQL database, for one machine: the leader, which has the schedule, or a follower, which delivers.
///
/// It has one connection with its own queue, because libpq blocks, and one that listens (``Listener``). All statements of a transaction that need no answer go in
/// one trip with the next that does. Nothing belongs to the session of that connection, except prepared statements.
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
        /// This daemon can write no more: another one has taken the database over, or the database has lost what it acknowledged.
        case refused(StoreError)
        /// The database does not answer. The store goes on asking.
        case unreachable
        /// It answers again, over another connection.
        case reachable
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

    /// What a machine does.
    package enum Role: Sendable {
        /// It computes what is due, and delivers.
        case leader
        /// It only delivers, beside the leader. It reads no schedules: its snapshot is empty.
        case follower
    }

    /// The address of the database, without a password.
    package let shownAddress: String
    /// The events since the store was opened, for one reader.
    package let events: AsyncStream<Event>
    private let queue = DispatchQueue(label: "tminus.store")
    // Only on the queue.
    private nonisolated(unsafe) let session: Session
    /// How long a machine is waited for that does not renew its row.
    package let lease: Duration
    private let role: Role
    private let renewed = Mutex(ContinuousClock.now)
    /// Whether the lease is known not to be over. A daemon that is cut off from its database learns by this that another one may lead.
    package var hasLease: Bool { renewed.withLock(\.self).duration(to: .now) < lease }
    /// Names the place of the daemon's state.
    let machine: String
    let listener: Listener

    /// A name for a run that no other has.
    package static var newRun: String { String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// Opens the store, and creates its tables in the schema if there are none. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - machine: Names the place of the daemon's state, which only one running daemon has. It contains no space. A daemon that
    ///     starts there takes over at once from the one before; a daemon of another place waits until the lease is over.
    ///   - process: The host and the process, for messages.
    ///   - run: Names the run in its claims, and tells the runs of one place apart. It contains no space.
    ///   - role: A follower does not wait for the lease, and has no schedule.
    ///   - facts: What a follower says of itself.
    ///   - lease: How long another daemon waits for this one after a crash.
    ///   - clock: Is measured before this returns, and at each renewal of the lease or of the follower's row.
    ///   - use: What it is used for.
    ///   - wait: How it waits for the lease of another daemon; by default until that one has renewed it.
    /// - Throws: A ``StoreError`` if there is no connection, another daemon uses the database, a newer tminus wrote it, or the
    ///   wait was cancelled.
    package init(
        _ address: PostgresAddress, schema: SchemaName = .standard, machine: String, process: String,
        run: String = PostgresStore.newRun, as role: Role = .leader, facts: FleetMachine? = nil,
        lease: Duration = .seconds(10), clock: FleetClock? = nil,
        for use: Use = .daemon, wait: LeaseWait = LeaseWait()
    ) throws(StoreError) {
        shownAddress = address.shown
        self.lease = lease
        self.role = role
        self.machine = machine
        let right: Session.Role =
            switch role {
            case .leader: .leader(Fence.Holder(machine: machine, process: process, run: run))
            case .follower: .follower(Membership(of: machine, owner: run, process: process, facts: facts))
            }
        listener = Listener(address, schema: schema, owner: run)
        if role == .follower { listener.note(others: 1) }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(8))
        self.events = events
        let session = Session(address, schema: schema, as: right, lease: lease, clock: clock) {
            continuation.yield($0)
        }
        self.session = session
        let started: Result<Void, StoreError> = queue.sync {
            do throws(StoreError) { return .success(try session.start(use, wait)) } catch { return .failure(error) }
        }
        try started.get()
        renewed.withLock { $0 = .now }
        renewLater()
        guard use == .daemon else { return }
        listener.start()
        // So that the leader knows of a follower.
        listener.tellOthers()
    }

    /// Opens the store as ``init(_:schema:machine:process:run:as:facts:lease:clock:for:wait:)`` does, without blocking the caller's
    /// thread.
    package static func opened(
        at address: String, machine: String, process: String, run: String = PostgresStore.newRun,
        as role: Role = .leader, facts: FleetMachine? = nil, clock: FleetClock? = nil, for use: Use = .daemon,
        wait: LeaseWait = LeaseWait()
    ) async throws(StoreError) -> PostgresStore {
        let result: Result<PostgresStore, StoreError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "tminus.store.opening").async {
                let result: Result<PostgresStore, StoreError>
                do throws(StoreError) {
                    result = .success(
                        try PostgresStore(
                            PostgresAddress(address), machine: machine, process: process, run: run, as: role,
                            facts: facts, clock: clock, for: use, wait: wait))
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
            try DatabaseLink.look(at: PostgresAddress(address))
            return nil
        } catch {
            return error
        }
    }

    /// Renews the lease at every third of it, as long as the store exists.
    private func renewLater() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: lease.milliseconds / 3))) { [weak self] in
            guard let self else { return }
            let asked = ContinuousClock.now
            if session.renew() { renewed.withLock { $0 = asked } }
            renewLater()
        }
    }

    package func snapshot() async throws(StoreError) -> StoreSnapshot {
        switch role {
        case .leader: try await read { try $0.snapshot() }
        case .follower: StoreSnapshot()
        }
    }

    /// A former owner is one that neither leads nor follows any more. The claims of followers do not expire.
    package func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try await write(as: .flushed) { transaction in
            try transaction.releaseAbsent(owner: owner, onlyExpired: which == .expired, now: now)
        }
    }

    /// Yields an element if another machine has written something since the last one, as far as that is known. For one reader.
    package var wakes: AsyncStream<Void> { listener.wakes }

    /// Yields an element when a leader has ended in order, as far as that is known, or may have. For one reader.
    package var leaderEnds: AsyncStream<Void> { listener.leaderEnds }

    package func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        guard !commit.isEmpty else { return Committed() }
        return try await perform { session throws(StoreError) in
            let committed = try session.commit(commit, now: now)
            // What is only claimed concerns nobody else.
            if commit.isDurable || !commit.settlements.isEmpty { self.listener.tellOthers() }
            return committed
        }
    }

    /// Ends the lease and closes the connection. Closing again has no effect.
    package func close() async throws(StoreError) {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session.end()
                self.listener.tellOthers()
                self.listener.end()
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
        try await perform { session throws(StoreError) in
            let value = try session.run(.writing(durability), verb)
            self.listener.tellOthers()
            return value
        }
    }

    /// Runs `work` to its end on the queue of the connection.
    func perform<Value: Sendable>(
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
