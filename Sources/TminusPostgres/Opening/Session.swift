internal import CPostgres
import Glibc
import TminusCore
import TminusStorage

/// The connection of a store with its right to write, made again when it was lost. Confined to the queue of its store.
final class Session {
    /// By what right a store writes.
    enum Role {
        /// The lease, once it is taken.
        case leader(Fence.Holder)
        /// A place beside the leader.
        case follower(Membership)
    }

    /// What a transaction may do.
    enum Access {
        /// It reads one consistent state.
        case reading
        /// It writes.
        case writing(Durability)
    }

    let address: PostgresAddress
    private let schema: SchemaName
    private var role: Role
    private let lease: Duration
    /// The clock that the session measures at the start and at each renewal; nil if none is used.
    private let clock: FleetClock?
    private var fence: Fence?
    private var connection: Connection?
    private var refusal: (error: StoreError, until: ContinuousClock.Instant)?
    private var isOver = false
    /// The mark of the last commit.
    private var mark: Int64?
    private var uncertain: UncertainCommit?
    /// Until when a leader whose lease is over may have it back, because the database did not answer that one either.
    private var leadersTime: ContinuousClock.Instant?
    private let tell: (PostgresStore.Event) -> Void
    private var isUnreachable = false
    /// Whether this leader lets its followers claim.
    private var isOpen = false
    /// How many connections were made, and how many there were when the claims were compared last, and when that was.
    private var connections = 0
    private var compared = (connections: 1, at: ContinuousClock.now)

    // A pooler may have met a crash of the server without telling. Only a commit that claims compares them.
    private static let comparison = Duration.seconds(60)

    /// A commit that was under way when the connection was lost.
    private struct UncertainCommit {
        let commit: Commit
        let mark: Int64
        /// Its result, if it was written.
        let result: Committed
    }

    /// The host and the process.
    private var process: String {
        switch role {
        case .leader(let holder): holder.process
        case .follower(let membership): membership.process
        }
    }

    init(
        _ address: PostgresAddress, schema: SchemaName, as role: Role, lease: Duration, clock: FleetClock? = nil,
        tell: @escaping (PostgresStore.Event) -> Void
    ) {
        self.tell = tell
        self.clock = clock
        self.address = address
        self.schema = schema
        self.role = role
        self.lease = lease
    }

    deinit { connection?.finish() }

    /// Connects, brings the schema up to date unless it is the source of a move, and gets the right to write: a leader waits for the lease
    /// and takes it.
    func start(_ use: PostgresStore.Use, _ wait: LeaseWait) throws(StoreError) {
        do {
            let connection = try connect()
            try Self.refuseUnfit(connection, address)
            switch use {
            case .daemon, .moveTarget:
                try transaction(.writing(.flushed), isFenced: false) {
                    try Migrations.apply(self.schema, isTarget: use == .moveTarget, $0)
                }
            case .moveSource: try requireCurrent()
            }
            switch role {
            case .leader(let holder): try takeLease(holder, use, wait)
            case .follower(let membership):
                try measureClock()
                try renewMembership(membership)
            }
        } catch {
            end()
            throw told(error)
        }
    }

    /// Connects, and throws what keeps a daemon from using the database.
    static func look(at address: PostgresAddress) throws(StoreError) {
        do {
            let connection = try Connection(address.settings, try Library.loaded.get())
            defer { connection.finish() }
            try refuseUnfit(connection, address)
        } catch {
            throw StoreError(error, address: address.shown)
        }
    }

    /// Runs `body` in a transaction of its own, without the lease.
    static func withTransaction(at address: PostgresAddress, _ body: (Transaction) throws -> Void) throws(StoreError) {
        let holder = Fence.Holder(machine: "", process: "", run: "")
        let session = Session(address, schema: .standard, as: .leader(holder), lease: .zero) { _ in }
        defer { session.end() }
        do {
            try refuseUnfit(try session.connect(), address)
            try session.transaction(.writing(.flushed), isFenced: false, body)
        } catch {
            throw StoreError(error, address: address.shown)
        }
    }

    static func refuseUnfit(_ connection: Connection, _ address: PostgresAddress) throws(StoreError) {
        guard connection.serverVersion >= 130_000 else {
            throw StoreError(
                .other, "\(address.shown): PostgreSQL \(connection.serverVersion / 10_000) is too old; tminus needs 13")
        }
        guard connection.encoding == "UTF8" else {
            throw StoreError(
                .other,
                "\(address.shown): its encoding is \(connection.encoding); create a database with 'createdb -E UTF8'")
        }
    }

    /// Throws unless there is a store with the schema of this program: the columns of another one are not known.
    private func requireCurrent() throws {
        let number = try transaction(.reading, isFenced: false) { transaction in
            try Migrations.isThere(self.schema, transaction) ? Migrations.number(transaction) : nil
        }
        guard let number else { throw StoreError(.other, "\(address.shown): there is no store of tminus") }
        if number > Migrations.schema { throw NewerSchema() }
        guard number == Migrations.schema else {
            throw StoreError(
                .other,
                "\(address.shown): was written by an older tminus; start the daemon once, which brings it up to date")
        }
    }

    private func takeLease(_ holder: Fence.Holder, _ use: PostgresStore.Use, _ wait: LeaseWait) throws {
        var seen: Int64?
        // One lease, and time for the answer: then it is over, or was renewed.
        let limit = ContinuousClock.now + lease + .seconds(5)
        while true {
            switch try tryToTake(holder, use, wait) {
            case .taken(let fence):
                self.fence = fence
                return
            case .held(let rival):
                guard wait.isEndless || (seen ?? rival.end == rival.end && ContinuousClock.now < limit) else {
                    throw StoreError(
                        .locked,
                        """
                        \(address.shown): another daemon uses this database (\(rival.process)); stop that one, or give this \
                        one another database
                        """)
                }
                wait.note(.held(by: rival.process))
                seen = rival.end
            case nil: break
            }
            try wait.pause()
        }
    }

    /// Takes the lease if nobody has it; nil if the database does not answer, and an endless wait outlasts that.
    private func tryToTake(
        _ holder: Fence.Holder, _ use: PostgresStore.Use, _ wait: LeaseWait
    ) throws -> Fence.Taking? {
        do {
            let rival = try transaction(.reading, isFenced: false) { try Fence.rival(of: holder, $0) }
            let isLeadersTime = leadersTime.map { ContinuousClock.now < $0 } ?? false
            if let rival, rival.isLiving || isLeadersTime { return .held(by: rival) }
            try wait.requireGoing()
            try measureClock()
            return try transaction(.writing(.flushed), isFenced: false) { transaction in
                // A newer tminus may have changed the schema during the wait.
                if use == .daemon { try Migrations.apply(self.schema, transaction) }
                guard use != .daemon else {
                    return try Fence.take(holder, for: self.lease, isShared: true, transaction)
                }
                // A follower that writes at this moment is seen after its turn.
                try transaction.post(Fence.turn)
                if let follower = try Membership.anyLiving(transaction) {
                    throw StoreError(
                        .locked,
                        "\(self.address.shown): another daemon delivers from this database (\(follower)); stop that one"
                    )
                }
                return try Fence.take(holder, for: self.lease, isShared: false, transaction)
            }
        } catch let error where wait.isEndless && !(error is CancellationError) {
            let shown = StoreError(error, address: address.shown)
            switch shown.kind {
            case .damaged, .tooNew, .tooOld, .locked: throw error
            case .full, .readOnly, .uncertain, .other: wait.note(.unreachable(shown.message))
            }
            // A leader renews at every third of its lease.
            leadersTime = .now + lease / 2
            return nil
        }
    }

    /// Runs a verb in a transaction. It runs again if the server asks for it, or if the connection turns out to be lost before the
    /// commit.
    ///
    /// - Parameter isFenced: Whether what it writes needs the right to write, and takes turns with others.
    func run<Value>(
        _ access: Access, isFenced: Bool = true, _ verb: (Transaction) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try transaction(access, isFenced: isFenced, verb)
        } catch {
            throw told(error)
        }
    }

    /// Writes a commit. If the connection was lost during the last one, finds out first whether that was written; if it was, and
    /// this is the same, returns its result.
    func commit(_ commit: Commit, now: Timestamp) throws(StoreError) -> Committed {
        do {
            if let earlier = uncertain {
                let isWritten = try isWritten(earlier)
                uncertain = nil
                if isWritten { mark = earlier.mark }
                if isWritten, earlier.commit == commit { return earlier.result }
            }
            return try write(commit, now: now)
        } catch {
            throw told(error)
        }
    }

    private func write(_ commit: Commit, now: Timestamp) throws -> Committed {
        let (former, next) = (mark, Int64.random(in: 1 ... .max))
        // A leader claims once it knows its definitions.
        let opens = !isOpen && commit.claim != nil
        var result = Committed()
        do {
            try transaction(.writing(commit.isDurable ? .flushed : .ordered), isFenced: true) { transaction in
                var commit = commit
                for index in commit.settlements.indices { commit.settlements[index].report?.machine = self.process }
                switch self.role {
                case .leader:
                    try transaction.post(Fence.mark, next, self.fence?.term)
                    try transaction.post(Fence.unmark, former)
                    if opens { try transaction.post(Fence.open) }
                    // A crash of the server loses the last ends of attempts, and would leave them claimed for ever.
                    commit.claim?.asksForHeld = self.isComparisonDue
                case .follower(let membership):
                    try membership.mark(next, transaction)
                    try membership.report(commit.settlements, transaction)
                    if try transaction.number(Fence.isOpen) == nil { commit.claim?.limit = 0 }
                }
                result = try transaction.commit(commit, now: now)
            }
        } catch let error as Connection.Lost where error.isCommitting {
            uncertain = UncertainCommit(commit: commit, mark: next, result: result)
            throw unknown(error)
        }
        mark = next
        isOpen = isOpen || opens
        if result.held != nil { compared = (connections, .now) }
        return result
    }

    private var isComparisonDue: Bool {
        compared.connections != connections || compared.at.duration(to: .now) > Self.comparison
    }

    private func isWritten(_ earlier: UncertainCommit) throws -> Bool {
        do {
            // Its turn comes after the end of the commit.
            return try transaction(.writing(.flushed), isFenced: true) { transaction in
                switch self.role {
                case .leader: try transaction.number(Fence.isMarked, earlier.mark) != nil
                case .follower(let membership): try membership.isMarked(earlier.mark, transaction)
                }
            }
        } catch let error as ServerError where error.state == Fence.refusal {
            throw error
        } catch {
            throw unknown(error)
        }
    }

    private func unknown(_ error: any Error) -> StoreError {
        StoreError(.uncertain, StoreError(error, address: address.shown).message)
    }

    /// The error for the caller. Tells it too if it ends this daemon.
    private func told(_ error: any Error) -> StoreError {
        let shown = StoreError(error, address: address.shown)
        guard let error = error as? ServerError, error.state == Fence.refusal else { return shown }
        switch role {
        case .leader: tell(.takenOver(shown))
        case .follower: return .unshared(address.shown)
        }
        return shown
    }

    private func transaction<Value>(
        _ access: Access, isFenced: Bool, _ verb: (Transaction) throws -> Value
    ) throws -> Value {
        var repeats = 0
        while true {
            let isNew = self.connection == nil
            let connection = try connect()
            var isCommitting = false
            do {
                try begin(access, isFenced: isFenced, connection)
                let value = try verb(Transaction(on: connection))
                // So that an error of the verb is not taken for one of the commit.
                _ = try connection.answers()
                isCommitting = true
                try connection.send("COMMIT", [])
                _ = try connection.answers()
                return value
            } catch var error as Connection.Lost {
                disconnect()
                error.isCommitting = isCommitting
                if isNew || isCommitting { throw error }
            } catch let error as ServerError
                where error.isPassing && repeats < 5 && !(isFenced && error.isLockTimeout)
            {
                // A leader must renew its lease before it waits for another lock.
                rollBack(connection)
                repeats += 1
                // Two transactions that collided must not collide again.
                usleep(.random(in: 5_000...50_000))
            } catch {
                rollBack(connection)
                throw error
            }
        }
    }

    private func begin(_ access: Access, isFenced: Bool, _ connection: Connection) throws {
        switch access {
        case .reading: try connection.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", [])
        case .writing: try connection.send("BEGIN", [])
        }
        // Nothing is set for a session, so that a pooler may give each transaction another connection.
        try connection.send("SELECT set_config('search_path', $1, true)", parameters(schema.rawValue))
        guard case .writing(let durability) = access else { return }
        try connection.send(
            """
            SELECT set_config('lock_timeout', '5s', true),
                set_config('idle_in_transaction_session_timeout', '4s', true)
            """, [])
        if durability == .ordered {
            try connection.send("SELECT set_config('synchronous_commit', 'off', true)", [])
        }
        guard isFenced else { return }
        switch role {
        case .leader:
            guard let fence else { return }
            try connection.send(Fence.turn, [])
            try connection.send(Fence.check, parameters(fence.term, fence.holder))
        case .follower(let membership):
            try connection.send(Fence.turn, [])
            try connection.send(Membership.check, [])
            try membership.join(for: lease, Transaction(on: connection))
        }
    }

    private func rollBack(_ connection: Connection) {
        connection.drop()
        do {
            try connection.send("ROLLBACK", [])
            _ = try connection.answers()
        } catch {
            disconnect()
        }
    }

    /// Renews the membership, as each transaction of a follower does, and measures the clock in the same trip.
    private func renewMembership(_ membership: Membership) throws {
        _ = try transaction(.writing(.ordered), isFenced: true) { transaction in
            try membership.noteFiles(transaction)
            try self.measure { try transaction.number(Fence.clock) }
        }
    }

    /// Measures the clock of the database before anything is due by it. The first trips may be slow, so it takes several.
    private func measureClock() throws {
        guard clock != nil else { return }
        try transaction(.reading, isFenced: false) { transaction in
            for _ in 0..<3 { _ = try self.measure { try transaction.number(Fence.clock) } }
        }
    }

    /// Measures the clock by a statement that returns what it shows. Returns whether that returned anything.
    private func measure(_ ask: () throws -> Int64?) rethrows -> Bool {
        guard let clock else { return try ask() != nil }
        return try clock.measure { try ask().map(Timestamp.init(nanoseconds:)) }
    }

    /// Has a follower say this of itself from its next write on.
    func describe(_ machine: FleetMachine) {
        guard case .follower(var membership) = role else { return }
        membership.describe(machine)
        role = .follower(membership)
    }

    /// Prolongs the lease, and returns whether it did. Tells if somebody else has it, and when the database no longer answers.
    func renew() -> Bool {
        guard !isOver else { return false }
        do {
            switch role {
            case .leader:
                guard let fence else { return false }
                let isRenewed = try transaction(.writing(.ordered), isFenced: false) { transaction in
                    try self.measure {
                        try transaction.number(Fence.renew, fence.term, fence.holder, self.lease.milliseconds)
                    }
                }
                if !isRenewed {
                    tell(.takenOver(.taken(address.shown)))
                    return false
                }
            case .follower(let membership): try renewMembership(membership)
            }
            if isUnreachable || compared.connections != connections { tell(.reachable) }
            isUnreachable = false
            return true
        } catch {
            if !isUnreachable { tell(.unreachable) }
            isUnreachable = true
            return false
        }
    }

    /// Ends the right to write, and the connection.
    func end() {
        if connection != nil {
            try? transaction(.writing(.flushed), isFenced: false) { transaction in
                switch role {
                case .leader:
                    if let fence { try transaction.post(Fence.resign, fence.term, fence.holder) }
                case .follower(let membership):
                    try transaction.post(Fence.turn)
                    try membership.leave(transaction)
                }
            }
        }
        fence = nil
        isOver = true
        disconnect()
    }

    /// The connection, made anew if there is none. After a refusal it is asked for again after a second.
    private func connect() throws -> Connection {
        if isOver { throw StoreError(.other, "\(address.shown): the store is closed") }
        if let connection { return connection }
        if let refusal, ContinuousClock.now < refusal.until { throw refusal.error }
        do {
            let made = try Connection(address.settings, try Library.loaded.get())
            connection = made
            connections += 1
            refusal = nil
            return made
        } catch {
            let error = StoreError(error, address: address.shown)
            refusal = (error, ContinuousClock.now + .seconds(1))
            throw error
        }
    }

    private func disconnect() {
        connection?.finish()
        connection = nil
    }
}
