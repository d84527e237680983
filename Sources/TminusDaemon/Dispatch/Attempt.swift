internal import TminusCore

/// One claimed delivery on its way through one sink: an object, because it is handed from task to task.
final class Attempt: Sendable {
    let claimed: ClaimedDelivery
    /// What it has in common with the others of its lane.
    let made: MadeSink
    /// Ends it when a later occurrence takes its place; nil if none ever does.
    let stop: AttemptStop?

    var lane: SinkLane.ID { made.lane }
    var sink: any Sink { made.sink }

    init(_ claimed: ClaimedDelivery, to made: MadeSink, stop: AttemptStop?) {
        self.claimed = claimed
        self.made = made
        self.stop = stop
    }
}

/// Ends an attempt for a later occurrence: an object, because nearly all attempts have none.
final class AttemptStop: Sendable {
    /// Yields when it is to end.
    let wishes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (wishes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Has the attempt end.
    func wish() { continuation.yield() }

    /// Takes note that the attempt is over.
    func finish() { continuation.finish() }
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
