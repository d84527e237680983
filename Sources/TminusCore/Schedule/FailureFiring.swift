extension Firing {
    /// What the sinks under `on-failure` are told of a delivery that was given up; nil where nobody is told.
    ///
    /// It names nobody to be told of its own failure: a failure of a failure action is recorded and goes no further.
    package static func failure(of claimed: ClaimedDelivery, reason: String, attempts: Int, now: Timestamp) -> Firing? {
        guard !claimed.onFailure.isEmpty, var payload = claimed.payload else { return nil }
        payload.failure = Payload.Failure(
            delivery: claimed.id.rawValue, action: claimed.action, sink: claimed.sink.rawValue, reason: reason,
            attempts: attempts)
        payload.message = "\(payload.name): the \(claimed.action.rawValue) did not reach \(claimed.sink): \(reason)"
        payload.scheduled = now.rfc3339
        payload.fired = now.rfc3339
        payload.late = 0
        payload.isCatchUp = false
        return Firing(
            definition: claimed.definition, occurrence: claimed.occurrence,
            action: .failure(of: claimed.id.computed, attempt: claimed.attempt), due: now, payload: payload,
            sinks: claimed.onFailure)
    }
}
