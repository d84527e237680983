extension Settlement {
    /// The end of a claimed delivery. Without a report no attempt was made. `sink` is the title of its sink.
    ///
    /// The notice of a delivery that is dead is written by the transaction that records the end.
    init(
        _ delivery: Delivery, _ outcome: Outcome, report: DeliveryReport? = nil, sink: @autoclosure () -> String,
        at now: Timestamp
    ) {
        var firings: [Firing] = []
        switch outcome {
        case .delivered, .skipped, .retry: break
        case .dead(let reason), .expired(let reason):
            let attempts = report == nil ? delivery.attempt - 1 : delivery.attempt
            if let firing = Firing.failure(of: delivery, to: sink(), reason: reason, attempts: attempts, now: now) {
                firings = [firing]
            }
        }
        self.init(
            token: delivery.claim.token, id: delivery.id, outcome: outcome, report: report, ended: now,
            firings: firings)
    }
}
