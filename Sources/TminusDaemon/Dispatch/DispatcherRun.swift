internal import TminusCore

/// What a dispatcher keeps from step to step.
struct DispatcherRun: Sendable {
    var lanes = SinkLanes()
    /// Ends of attempts that are not in the store yet.
    var unsettled: [Settlement] = []
    var isStopping = false
    var trouble = StoreTrouble()

    /// Whether nothing is left that is worth waiting for. A store that refuses is not: what it does not know is delivered
    /// again, with the same id.
    var isOver: Bool { isStopping && lanes.inFlight == 0 && (unsettled.isEmpty || trouble.isPresent) }

    /// Takes note that an attempt has ended.
    mutating func finish(_ attempt: Attempt, _ outcome: Outcome) {
        lanes.end(attempt.lane)
        unsettled.append(Settlement(attempt.claimed, outcome))
    }
}

extension Settlement {
    /// The end of a claimed attempt.
    init(_ claimed: ClaimedDelivery, _ outcome: Outcome) {
        self.init(token: claimed.token, id: claimed.id, outcome: outcome)
    }
}
