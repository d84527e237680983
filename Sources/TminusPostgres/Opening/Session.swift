import TminusCore
import TminusStorage

/// The right of a store to write, and its commits over a connection that may be lost. Confined to the queue of its store.
final class Session {
    /// By what right a store writes.
    enum Role {
        /// The lease, once it is taken.
        case leader(Fence.Holder)
        /// A place beside the leader.
        case follower(Membership)
    }

    private let link: DatabaseLink
    private var role: Role
    private let lease: Duration
    private let clock: DatabaseClock
    private var fence: Fence?
    private var isOver = false
    private var marks = CommitMarks()
    private var uncertain: UncertainCommit?
    private let tell: (PostgresStore.Event) -> Void
    private var isUnreachable = false
    /// Whether this leader lets its followers claim.
    private var isOpen = false
    /// How many connections were made when the claims were compared last, and when that was.
    private var compared = (connections: 1, at: ContinuousClock.now)

    /// The same of the definition files of a follower.
    private var noted = (connections: 0, at: ContinuousClock.now)

    // A crash of the server loses writes that are not durable, and a pooler does not report it.
    private static let comparison = Duration.seconds(60)

    /// A commit that was under way when the connection was lost.
    private struct UncertainCommit {
        let commit: Commit
        let mark: Int64
        /// Its result, if it was written.
        let result: Committed
    }

    var address: PostgresAddress { link.address }

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
        self.clock = DatabaseClock(fleet: clock)
        link = DatabaseLink(address, schema: schema)
        self.role = role
        self.lease = lease
    }

    /// Connects, brings the schema up to date unless it is the source of a move, and gets the right to write: a leader waits for the lease
    /// and takes it.
    func start(_ use: PostgresStore.Use, _ wait: LeaseWait) throws(StoreError) {
        do {
            try DatabaseLink.refuseUnfit(try link.connect(), address)
            switch use {
            case .daemon, .moveTarget:
                try link.transaction(.writing(.flushed)) {
                    try Migrations.apply(link.schema, isTarget: use == .moveTarget, $0)
                }
            case .moveSource: try link.requireCurrent()
            }
            switch role {
            case .leader(let holder):
                fence = try LeaseTaking(
                    holder: holder, lease: lease, use: use, wait: wait, link: link, clock: clock
                ).take()
            case .follower(let membership):
                try clock.measure(over: link)
                try renewMembership(membership)
            }
        } catch {
            end()
            throw told(error)
        }
    }

    /// Runs a verb in a transaction. It runs again if the server asks for it, or if the connection turns out to be lost before the
    /// commit.
    ///
    /// - Parameter isFenced: Whether what it writes needs the right to write, and takes turns with others.
    func run<Value>(
        _ access: DatabaseLink.Access, isFenced: Bool = true, _ verb: (Transaction) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            guard isFenced, case .writing(.flushed) = access, fence != nil else {
                return try transaction(access, isFenced: isFenced, verb)
            }
            let mark = marks.next()
            let value = try transaction(access, isFenced: true) { transaction in
                try self.mark(mark, transaction)
                return try verb(transaction)
            }
            marks.written(mark, isDurable: true)
            return value
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
                if isWritten { marks.written(earlier.mark, isDurable: earlier.commit.isDurable) }
                if isWritten, earlier.commit == commit { return earlier.result }
            }
            return try write(commit, now: now)
        } catch {
            throw told(error)
        }
    }

    private func write(_ commit: Commit, now: Timestamp) throws -> Committed {
        let mark = marks.next()
        // A leader claims once it knows its definitions.
        let opens = !isOpen && commit.claim != nil
        var result = Committed()
        do {
            try transaction(.writing(commit.isDurable ? .flushed : .ordered), isFenced: true) { transaction in
                var commit = commit
                for index in commit.settlements.indices { commit.settlements[index].report?.machine = self.process }
                switch self.role {
                case .leader:
                    try self.mark(mark, transaction)
                    if opens { try transaction.post(Fence.open) }
                    // A crash of the server loses the last ends of attempts, and would leave them claimed for ever.
                    commit.claim?.asksForHeld = self.isComparisonDue
                case .follower(let membership):
                    try membership.mark(mark, transaction)
                    try membership.report(commit.settlements, transaction)
                    if try transaction.number(Fence.isOpen) == nil { commit.claim?.limit = 0 }
                }
                result = try transaction.commit(commit, now: now)
            }
        } catch let error as Connection.Lost where error.isCommitting {
            uncertain = UncertainCommit(commit: commit, mark: mark, result: result)
            throw unknown(error)
        }
        marks.written(mark, isDurable: commit.isDurable)
        isOpen = isOpen || opens
        if result.held != nil { compared = (link.connections, .now) }
        return result
    }

    /// Marks a write of a leader, in place of the one before.
    private func mark(_ mark: Int64, _ transaction: Transaction) throws {
        try checkHistory(transaction)
        try transaction.post(Fence.mark, mark, fence?.term)
        try transaction.post(Fence.unmark, marks.kept)
    }

    /// Fails if the database has lost a durable write of this leader.
    private func checkHistory(_ transaction: Transaction) throws {
        if let durable = marks.durable { try transaction.post(Fence.checkHistory, fence?.term, durable) }
    }

    private var isComparisonDue: Bool {
        compared.connections != link.connections || compared.at.duration(to: .now) > Self.comparison
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
        guard let error = error as? ServerError else { return shown }
        switch role {
        case .leader where error.state == Fence.refusal || error.isLostHistory: tell(.refused(shown))
        case .follower where error.state == Fence.refusal: return .unshared(address.shown)
        default: break
        }
        return shown
    }

    private func transaction<Value>(
        _ access: DatabaseLink.Access, isFenced: Bool, _ verb: (Transaction) throws -> Value
    ) throws -> Value {
        try link.transaction(access, proof: isFenced ? prove : nil, verb)
    }

    /// Proves the right to write, and keeps it until the transaction ends.
    private func prove(_ connection: Connection) throws {
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

    /// Renews the membership, as each transaction of a follower does, notes its files, and measures the clock.
    private func renewMembership(_ membership: Membership) throws {
        let connections = link.connections
        let isDue = noted.connections != connections || noted.at.duration(to: .now) > Self.comparison
        let compared = try transaction(.writing(.ordered), isFenced: true) { transaction in
            let compared = try membership.files.note(anew: isDue, transaction)
            _ = try clock.measure { try transaction.number(Fence.clock) }
            return compared
        }
        var membership = membership
        membership.noted(compared)
        if isDue { noted = (connections, .now) }
        role = .follower(membership)
    }

    /// Has a follower say this of itself from its next write on.
    func describe(_ machine: FleetMachine, files: [String: String]?) {
        guard case .follower(var membership) = role else { return }
        membership.describe(machine, files: files)
        role = .follower(membership)
    }

    /// Prolongs the lease, and returns whether it did. Tells if somebody else has it, and when the database no longer answers.
    func renew() -> Bool {
        guard !isOver else { return false }
        do {
            switch role {
            case .leader:
                guard let fence else { return false }
                let isRenewed = try link.transaction(.writing(.ordered)) { transaction in
                    let isRenewed = try clock.measure {
                        try transaction.number(Fence.renew, fence.term, fence.holder, lease.milliseconds)
                    }
                    // The next leader removes the marks of this one.
                    if isRenewed { try self.checkHistory(transaction) }
                    return isRenewed
                }
                if !isRenewed {
                    tell(.refused(.taken(address.shown)))
                    return false
                }
            case .follower(let membership): try renewMembership(membership)
            }
            if isUnreachable || compared.connections != link.connections { tell(.reachable) }
            isUnreachable = false
            return true
        } catch let error as ServerError where error.isLostHistory {
            _ = told(error)
            return false
        } catch {
            if !isUnreachable { tell(.unreachable) }
            isUnreachable = true
            return false
        }
    }

    /// Ends the right to write, and the connection.
    func end() {
        if link.isConnected {
            try? link.transaction(.writing(.flushed)) { transaction in
                switch role {
                case .leader:
                    if let fence { try transaction.post(Fence.resign, fence.term, fence.holder) }
                case .follower(let membership):
                    try transaction.post(Fence.turn)
                    try membership.leave(transaction)
                }
            }
        }
        if link.isConnected, fence != nil {
            // By itself: a server without notifications must not refuse the end of the lease.
            try? link.transaction(.writing(.ordered)) { transaction in
                try transaction.post(Listener.notify, link.schema.rawValue, Listener.farewell)
            }
        }
        fence = nil
        isOver = true
        link.end()
    }
}
