import FoundationEssentials
package import TminusCore
import TminusStorage

extension PostgresStore: FleetStore {
    // A look that takes longer has waited for a server that did not answer, as its followers have.
    private static let answerLimit = Duration.seconds(1)

    package func describe(_ machine: FleetMachine, files: [String: String]?) async {
        try? await perform { session throws(StoreError) in session.describe(machine, files: files) }
    }

    package func look(
        after last: Int64, releasing release: FleetRelease, knowing known: Set<String>?, owner: String, now: Timestamp
    ) async throws(StoreError) -> FleetState {
        let own = Membership.place(of: machine)
        let asked = ContinuousClock.now
        return try await perform { session throws(StoreError) in
            let state = try session.run(.writing(.ordered)) { transaction in
                var state = FleetState(last: last)
                state.isFollowed = try transaction.number(FollowerStatements.any) != nil
                if release == .ofSilent, asked.duration(to: .now) < Self.answerLimit {
                    try transaction.post(FollowerStatements.removeSilent)
                }
                if release != .nothing { state.released = try transaction.releaseAbsent(owner: owner, now: now) }
                try transaction.readNews(&state)
                // A delivery that ended without an attempt leaves no news.
                if release != .nothing || !state.news.outcomes.isEmpty {
                    state.news.endedExpiries = try transaction.missedExpiries()
                }
                try transaction.forEach(FollowerStatements.others, own) { row in
                    let facts = try row.optionalText(1).flatMap {
                        try? JSONDecoder().decode(FleetMachine.self, from: Data($0.utf8))
                    }
                    state.followers.append(try facts ?? FleetMachine(process: row.text(0)))
                }
                if release != .nothing { try transaction.post(ForwardingStatements.removeOld) }
                if let known { state.requests = try transaction.takeRequests(knowing: known) }
                return state
            }
            self.listener.note(others: state.followers.count)
            return state
        }
    }
}

/// The statements that a leader runs over its followers.
private enum FollowerStatements {
    static let any = "SELECT 1 FROM follower LIMIT 1"
    static let removeSilent = "DELETE FROM follower WHERE expires_at <= now()"
    static let owners = "SELECT owner FROM follower"
    /// All but the given one, which is of the leader's own process and ends what it has begun.
    static let others = "SELECT process, facts FROM follower WHERE place <> $1 ORDER BY process"
    static let forget = "DELETE FROM followed_attempt WHERE id <= $1"
    static let attempts = """
        SELECT id, delivery, definition, state, reason, next_attempt FROM followed_attempt ORDER BY id
        """
}

extension Transaction {
    /// Releases the claims of all others than `owner` that have no row in `follower`; only those that have expired, if it says so.
    func releaseAbsent(owner: String, onlyExpired: Bool = false, now: Timestamp) throws -> ReleasedClaims {
        try release(.ofAllBut(FollowerStatements.owners, onlyExpired: onlyExpired), owner: owner, now: now)
    }

    /// Reads what followers have left, and deletes what was read before.
    fileprivate func readNews(_ state: inout FleetState) throws {
        try post(FollowerStatements.forget, state.last)
        try forEach(FollowerStatements.attempts) { row in
            state.last = try row.number(0)
            guard let delivery = DeliveryID(try row.text(1)), let definition = DefinitionID(try row.text(2)) else {
                return
            }
            state.news.definitions.insert(definition)
            let (word, reason) = (try row.word(3, DeliveryState.self), try row.optionalText(4))
            state.news.outcomes[delivery] = Outcome(word, reason: reason ?? "", next: try row.optionalInstant(5))
        }
    }
}

extension Outcome {
    /// The outcome that left a delivery in that state; nil if an attempt leaves none in it.
    fileprivate init?(_ state: DeliveryState, reason: String, next: Timestamp?) {
        switch state {
        case .delivered: self = .delivered
        case .pending: self = .retry(at: next ?? .distantPast, reason: reason)
        case .dead: self = .dead(reason: reason)
        case .expired: self = .expired(reason: reason)
        case .skipped: self = .skipped(reason: reason)
        case .queued, .claimed, .discarded: return nil
        }
    }
}
