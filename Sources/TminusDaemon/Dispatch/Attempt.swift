internal import TminusCore

/// One claimed delivery on its way through one sink: an object, because it is large and handed from task to task.
final class Attempt: Sendable {
    let claimed: ClaimedDelivery
    let lane: SinkLane.ID
    let sink: any Sink
    let retry: RetryPolicy
    /// Yields when a later occurrence takes its place; nil if none ever does.
    let stop: AsyncStream<Void>?

    init(_ claimed: ClaimedDelivery, lane: SinkLane.ID, sink: ConfiguredSink, stop: AsyncStream<Void>?) {
        self.claimed = claimed
        self.lane = lane
        self.sink = sink.sink
        retry = sink.policy.retry
        self.stop = stop
    }
}
