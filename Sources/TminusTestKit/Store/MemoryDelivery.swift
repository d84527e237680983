public import TminusCore

/// A delivery in a ``MemoryStore``.
public struct MemoryDelivery: Sendable, Hashable {
    /// Where a delivery stands.
    public enum State: Sendable, Hashable {
        /// Waits for the end of an earlier one of its definition and sink.
        case queued
        /// Waits for its next attempt.
        case pending
        /// In the hands of a worker.
        case claimed(token: String, owner: String, until: Timestamp)
        /// The sink has it.
        case delivered(Timestamp)
        /// Given up.
        case dead(Timestamp, reason: String)
        /// Of no more use before it could be delivered.
        case expired(Timestamp, reason: String)
        /// Not made.
        case skipped(Timestamp, reason: String)
        /// A dead letter that was put aside.
        case discarded(Timestamp, reason: String)

        /// The state without what goes with it.
        public var name: DeliveryState {
            switch self {
            case .queued: .queued
            case .pending: .pending
            case .claimed: .claimed
            case .delivered: .delivered
            case .dead: .dead
            case .expired: .expired
            case .skipped: .skipped
            case .discarded: .discarded
            }
        }

        /// Why, of one that ended without being delivered.
        public var reason: String? {
            switch self {
            case .queued, .pending, .claimed, .delivered: nil
            case .dead(_, let reason), .expired(_, let reason), .skipped(_, let reason), .discarded(_, let reason):
                reason
            }
        }
    }

    /// Counts up as deliveries are written.
    public let number: Int
    /// The delivery's id.
    public let id: DeliveryID
    /// The firing.
    public let firing: Firing
    /// The sink.
    public let sink: SinkKey
    /// Where it stands.
    public let state: State
    /// How many attempts have begun.
    public let attempt: Int
    /// When the next attempt may begin.
    public let nextAttempt: Timestamp
    /// When it was written.
    public let created: Timestamp
    /// As `attempt`, since a person last asked for it.
    public let tries: Int
    /// When it was written, or a person last asked for it.
    public let since: Timestamp
    /// From when on it is of no more use.
    public let expires: Timestamp?
    /// What becomes of it while an earlier one is not over.
    public let overlap: Overlap
    /// When the last attempt began.
    public let started: Timestamp?
    /// The attempts that have ended, oldest first; the last ones.
    public let log: [AttemptRecord]
    /// Why the last attempt was not the last.
    public let waitReason: String?

    /// What is public of a row; a claim of it has that owner.
    init(
        _ row: MemoryOutbox.DeliveryRow, _ place: Int, id: DeliveryID, of firing: Firing, to sink: SinkKey,
        owner: String
    ) {
        number = row.rank
        self.id = id
        self.firing = firing
        self.sink = sink
        state = State(row, place, owner: owner)
        attempt = row.attempt
        nextAttempt = row.nextAttempt
        created = row.created
        tries = row.tries
        since = row.since
        expires = row.expires
        overlap = row.overlap
        started = row.started
        log = row.log
        waitReason = row.state.isOpen ? row.reason : nil
    }

    /// Whether it is pending or claimed.
    public var isOpen: Bool { settled == nil }

    /// When it was delivered or given up.
    public var settled: Timestamp? {
        switch state {
        case .queued, .pending, .claimed: nil
        case .delivered(let instant), .dead(let instant, _), .expired(let instant, _), .skipped(let instant, _),
            .discarded(let instant, _):
            instant
        }
    }
}

extension MemoryDelivery.State {
    fileprivate init(_ row: MemoryOutbox.DeliveryRow, _ place: Int, owner: String) {
        let (reason, settled) = (row.reason ?? "", row.settled ?? row.created)
        switch row.state {
        case .queued: self = .queued
        case .pending: self = .pending
        case .claimed:
            self = .claimed(
                token: row.claim?.token(of: place) ?? "", owner: owner, until: row.claim?.until ?? row.created)
        case .delivered: self = .delivered(settled)
        case .dead: self = .dead(settled, reason: reason)
        case .expired: self = .expired(settled, reason: reason)
        case .skipped: self = .skipped(settled, reason: reason)
        case .discarded: self = .discarded(settled, reason: reason)
        }
    }
}
