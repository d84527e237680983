internal import TminusCore

/// One claimed delivery on its way through one sink: an object, because it is handed from task to task.
final class Attempt: Sendable {
    let claimed: ClaimedDelivery
    /// What it has in common with the others of its lane.
    let made: MadeSink
    /// Yields when a later occurrence takes its place; nil if none ever does.
    let stop: AsyncStream<Void>?

    var lane: SinkLane.ID { made.lane }
    var sink: any Sink { made.sink }

    init(_ claimed: ClaimedDelivery, to made: MadeSink, stop: AsyncStream<Void>?) {
        self.claimed = claimed
        self.made = made
        self.stop = stop
    }
}

/// A sink that was made, of one revision: an object, because all attempts of a lane refer to it.
final class MadeSink: Sendable {
    /// Where its attempts wait.
    let lane: SinkLane.ID
    let sink: any Sink
    /// When it is used, and when again.
    let policy: SinkPolicy

    init(_ configured: ConfiguredSink, lane: SinkLane.ID) {
        self.lane = lane
        sink = configured.sink
        policy = configured.policy
    }
}
