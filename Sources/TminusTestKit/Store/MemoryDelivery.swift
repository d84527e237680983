public import TminusCore

/// A delivery in a ``MemoryStore``.
public struct MemoryDelivery: Sendable, Hashable {
    /// Where a delivery stands.
    public enum State: Sendable, Hashable {
        /// Waits for its next attempt.
        case pending
        /// In the hands of a worker.
        case claimed(token: String, owner: String, until: Timestamp)
        /// The sink has it.
        case delivered(Timestamp)
        /// Given up.
        case dead(Timestamp, reason: String)
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

    /// Whether it is pending or claimed.
    public var isOpen: Bool { settled == nil }

    /// When it was delivered or given up.
    public var settled: Timestamp? {
        switch state {
        case .pending, .claimed: nil
        case .delivered(let instant), .dead(let instant, _): instant
        }
    }
}
