internal import TminusCore

/// What a dispatcher may be told.
enum DispatcherMessage: Sendable {
    /// There may be deliveries to claim.
    case work
    /// An attempt has ended.
    case finished(Attempt, Outcome)
    /// Take nothing new, and end when what runs has ended.
    case stop
    /// Enough waiting: cancel what still runs.
    case giveUp
}

/// One claimed delivery on its way through one sink.
struct Attempt: Sendable {
    let claimed: ClaimedDelivery
    let lane: SinkLane.ID
}
