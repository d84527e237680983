/// Where a delivery stands in the outbox; the words are those of the column `delivery.state` and of its `CHECK`.
///
///                  claim                     settle
///     pending ───────────────▶ claimed ───────────────▶ delivered
///        ▲                      │ │ │
///        ├──── settle: retry ───┘ │ └── settle: dead ─▶ dead
///        └──── release of claims ─┘
///
/// `next_attempt` is set while pending and claimed, so that a released delivery keeps its place in the queue;
/// token, owner and end of the claim exactly while claimed; `settled` exactly when delivered or dead.
enum DeliveryState: String, CaseIterable {
    /// Waits for `next_attempt`.
    case pending
    /// In the hands of the owner of the claim.
    case claimed
    /// The sink has it.
    case delivered
    /// Given up; `reason` says why.
    case dead

    /// Whether a firing with such a delivery is not over yet.
    var isOpen: Bool { self == .pending || self == .claimed }
}
