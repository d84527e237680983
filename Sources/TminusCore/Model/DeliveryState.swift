/// The state of a delivery in the outbox. The words are stored and displayed.
///
///              the one before it is over        claim                 settle
///     queued ─────────────────────────▶ pending ──────▶ claimed ─────────────────▶ delivered
///        ▲                                ▲  ▲           │ │ │ └ settle: expired ─▶ expired
///        │                                │  ├── retry ──┘ │ └─── settle: dead ───▶ dead ── discard ──▶ discarded
///        │                                │  └── release ──┘ └─── settle: skipped ▶ skipped
///        └──── a user retries a dead, expired or discarded delivery ────┘
///
/// A user can discard a delivery in any state except delivered and skipped.
///
/// Of the deliveries of one definition to one sink, only the first open one is pending or claimed, so that their order
/// is kept; the others are queued. Under ``Overlap/allow``, deliveries are never queued.
public enum DeliveryState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for the end of an earlier delivery of its definition to its sink.
    case queued
    /// Waits for its instant, and then for capacity.
    case pending
    /// Being attempted by the owner of the claim.
    case claimed
    /// The sink acknowledged it.
    case delivered
    /// It is not attempted again, unless a user retries it.
    case dead
    /// No longer useful before it could be delivered: the occurrence of a reminder has come, or an expiry is past its
    /// grace.
    case expired
    /// Not sent, because of another delivery (``Overlap``).
    case skipped
    /// Discarded by a user before it was delivered.
    case discarded

    /// The outcome of the last attempt of a delivery in this state.
    public var lastOutcome: AttemptRecord.Outcome {
        switch self {
        case .queued, .pending, .claimed: .retry
        case .delivered: .delivered
        case .dead, .discarded: .dead
        case .expired: .expired
        case .skipped: .skipped
        }
    }

    /// Whether the delivery has not ended yet.
    public var isOpen: Bool { self == .queued || self == .pending || self == .claimed }
}
