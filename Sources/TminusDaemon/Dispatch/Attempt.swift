internal import TminusCore

/// One claimed delivery on its way through one sink.
struct Attempt: Sendable {
    let claimed: ClaimedDelivery
    /// What it has in common with the others of its lane.
    let made: MadeSink
    /// Ends it when a later occurrence takes its place; nil if none ever does.
    let stop: AttemptStop?

    var lane: SinkLane.ID { made.lane }
    var sink: any Sink { made.sink }
}

/// Attempts that are to be made by one sink, in their order.
struct AttemptGroup: Sendable {
    let made: MadeSink
    let claimed: ArraySlice<ClaimedDelivery>
    /// What ends those of them that a later occurrence may replace, by the token of their claim.
    let stops: [String: AttemptStop]
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

/// A sink that was made, of one revision: an object, because all attempts of a lane refer to it, and stand in line by which it is. A
/// lane has one as long as anything in it is in hand.
final class MadeSink: Sendable {
    /// Where its attempts wait.
    let lane: SinkLane.ID
    let sink: any Sink
    /// How many deliveries it takes at the same time.
    let maxConcurrent: Int
    /// When it is used, and when again.
    let policy: SinkPolicy

    init(_ configured: ConfiguredSink, lane: SinkLane.ID) {
        self.lane = lane
        sink = configured.sink
        maxConcurrent = configured.sink.maxConcurrent
        policy = configured.policy
    }
}
