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
    public internal(set) var number: Int
    /// The delivery's id.
    public internal(set) var id: DeliveryID
    /// The firing.
    public internal(set) var firing: Firing
    /// The sink.
    public internal(set) var sink: SinkKey
    /// Where it stands.
    public internal(set) var state: State
    /// How many attempts have begun.
    public internal(set) var attempt: Int
    /// When the next attempt may begin.
    public internal(set) var nextAttempt: Timestamp
    /// When it was written.
    public internal(set) var created: Timestamp
    /// As `attempt`, since a person last asked for it.
    public internal(set) var tries: Int
    /// When it was written, or a person last asked for it.
    public internal(set) var since: Timestamp
    /// From when on it is of no more use.
    public internal(set) var expires: Timestamp?
    /// What becomes of it while an earlier one is not over.
    public internal(set) var overlap: Overlap
    /// When the last attempt began.
    public internal(set) var started: Timestamp?
    /// The attempts that have ended, oldest first; the last ones.
    public internal(set) var log: [AttemptRecord]
    /// Why the last attempt was not the last.
    public internal(set) var waitReason: String?

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
