extension Firing {
    /// The firing that tells the sinks under `on-failure` of a dead delivery; nil if there are none. `sink` is the title of the
    /// delivery's sink.
    ///
    /// It names no sink to be told of its own failure: a failure of a failure action is recorded and goes no further.
    static func failure(
        of delivery: Delivery, to sink: String, reason: String, attempts: Int, now: Timestamp
    ) -> Firing? {
        guard !delivery.claim.onFailure.isEmpty else { return nil }
        var payload = delivery.payload
        payload.failure = Payload.Failure(
            delivery: delivery.id.rawValue, action: delivery.action, sink: delivery.sink.rawValue, reason: reason,
            attempts: attempts)
        payload.message = "\(payload.name): the \(delivery.action.rawValue) did not reach \(sink): \(reason)"
        payload.messageBeforeRemaining = nil
        (payload.scheduled, payload.fired) = (now, now)
        payload.isCatchUp = false
        payload.refresh(at: now)
        return Firing(
            definition: delivery.definition, occurrence: delivery.occurrence,
            action: .failure(of: delivery.id, attempt: delivery.attempt), due: now, payload: payload,
            sinks: delivery.claim.onFailure)
    }
}
