/// Where a delivery stands in the outbox. The words are stored, and shown to people.
///
///              the one before it is over        claim                 settle
///     queued ─────────────────────────▶ pending ──────▶ claimed ─────────────────▶ delivered
///        ▲                                ▲  ▲           │ │ │ └ settle: expired ─▶ expired
///        │                                │  ├── retry ──┘ │ └─── settle: dead ───▶ dead ── discard ──▶ discarded
///        │                                │  └── release ──┘ └─── settle: skipped ▶ skipped
///        └──── retry of what was dead, expired or discarded, by a person ────┘
///
/// A person can discard a delivery in any state but delivered and skipped.
///
/// Of the deliveries of one definition to one sink only the first that is not over is pending or claimed, so that their order is
/// kept; the others are queued. Under ``Overlap/allow`` none is ever queued.
public enum DeliveryState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for the end of an earlier one of its definition and sink.
    case queued
    /// Waits for its instant, and then for room.
    case pending
    /// In the hands of the owner of the claim.
    case claimed
    /// The sink has it.
    case delivered
    /// Given up; a dead letter, which a person can have tried again or discard.
    case dead
    /// Of no more use before it could be delivered: a reminder whose occurrence has come, an expiry past its grace.
    case expired
    /// Not made, because of another delivery (``Overlap``).
    case skipped
    /// Put aside by a person before it was delivered.
    case discarded

    /// How the last attempt ended of a delivery that is in this state.
    public var lastOutcome: AttemptRecord.Outcome {
        switch self {
        case .queued, .pending, .claimed: .retry
        case .delivered: .delivered
        case .dead, .discarded: .dead
        case .expired: .expired
        case .skipped: .skipped
        }
    }

    /// Whether it is not over yet.
    public var isOpen: Bool { self == .queued || self == .pending || self == .claimed }
}
