import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Sink lanes")
struct SinkLanesTests {
    private let recording = Recording()
    private let key = SinkKey("s")
    private let now = Timestamp(seconds: 0)

    private func lane(_ revision: String, _ key: String = "s") -> SinkLane.ID {
        SinkLane.ID(key: SinkKey(key), revision: revision)
    }

    private func lanes(_ id: SinkLane.ID, maxConcurrent: Int = 2) -> SinkLanes {
        var lanes = SinkLanes()
        lanes.open(id, ConfiguredSink(RecordingSink(recording, maxConcurrent: maxConcurrent)), at: now)
        return lanes
    }

    @Test("room is taken and given back")
    func room() {
        var lanes = lanes(lane("1"))
        for left in [2, 1, 0] {
            #expect(lanes.roomBySink(at: now) == [key: left])
            lanes.begin(lane("1"), at: now)
        }
        #expect(lanes.roomBySink(at: now) == [key: 0])
        for _ in 0..<3 { lanes.end(lane("1"), after: nil, at: now) }
        #expect(lanes.inFlight == 0)
        #expect(lanes.room == AttemptLines.limit)
    }

    @Test("a lane that does not exist takes and gives nothing")
    func unknownLane() {
        var lanes = SinkLanes()
        lanes.begin(lane("1"), at: now)
        lanes.end(lane("2"), after: nil, at: now)
        #expect(lanes.inFlight == 0)
    }

    @Test("the revision in force has all its room, whatever runs in former ones")
    func revisions() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"), at: now)
        lanes.update([key: "2", SinkKey("other"): "9"])
        #expect(lanes.roomBySink(at: now).isEmpty)
        lanes.open(lane("2"), ConfiguredSink(RecordingSink(recording, maxConcurrent: 3)), at: now)
        #expect(lanes.roomBySink(at: now) == [key: 3])
        #expect(lanes.retire(at: now).isEmpty)
        lanes.end(lane("1"), after: nil, at: now)
        #expect(lanes.retire(at: now).count == 1)
        #expect(lanes.lanes.keys.map(\.revision) == ["2"])
    }

    @Test("an edit that is taken back goes on in the first lane")
    func editedBack() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"), at: now)
        lanes.open(lane("2"), ConfiguredSink(RecordingSink(recording, maxConcurrent: 3)), at: now)
        lanes.begin(lane("1"), at: now)
        #expect(lanes.roomBySink(at: now) == [key: 0])
        #expect(lanes.retire(at: now).count == 1)
        #expect(lanes.lanes.keys.map(\.revision) == ["1"])
    }

    @Test("at the limit every sink that runs nothing may still run one")
    func full() {
        var lanes = lanes(lane("1"), maxConcurrent: 1_000)
        for _ in 0..<AttemptLines.limit { lanes.begin(lane("1"), at: now) }
        lanes.open(lane("1", "idle"), ConfiguredSink(RecordingSink(recording, maxConcurrent: 5)), at: now)
        #expect(lanes.roomBySink(at: now) == [key: 0, SinkKey("idle"): 1])
        #expect(lanes.room == AttemptLines.firmLimit - AttemptLines.limit)
    }

    @Test("of very many idle sinks none is kept")
    func surplus() {
        var lanes = SinkLanes()
        for number in 0...SinkLanes.idleLimit {
            lanes.open(lane("1", "s\(number)"), ConfiguredSink(RecordingSink(recording)), at: now)
        }
        lanes.begin(lane("1", "s0"), at: now)
        #expect(lanes.retire(at: now).isEmpty)
        lanes.open(lane("1", "more"), ConfiguredSink(RecordingSink(recording)), at: now)
        #expect(lanes.retire(at: now).count == SinkLanes.idleLimit + 1)
        #expect(lanes.lanes.count == 1)
    }

    @Test("a sink whose last attempt was short may have more in hand than it runs, until one takes long")
    func ahead() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"), at: now)
        lanes.end(lane("1"), after: .milliseconds(6), at: now)
        #expect(lanes.roomBySink(at: now) == [key: 2 + 16])
        #expect(lanes.room == AttemptLines.limit + 16)
        for _ in 0..<5 { lanes.begin(lane("1"), at: now) }
        #expect(lanes.inHand == 5)
        #expect(lanes.inFlight == 2)
        #expect(lanes.isAnyWaiting)
        #expect(lanes.roomToOffer(at: now) == [key: 13])
        lanes.end(lane("1"), after: .seconds(1), at: now)
        #expect(lanes.roomBySink(at: now) == [key: 0])
        #expect(lanes.roomToOffer(at: now) == [key: 0])
    }

    @Test("a quick sink that fills all the room there is has as much ahead as any other; one that hangs has nothing")
    func aheadOfTheLimit() {
        var lanes = lanes(lane("1"), maxConcurrent: AttemptLines.limit)
        for _ in 0...AttemptLines.limit { lanes.begin(lane("1"), at: now) }
        #expect(lanes.roomBySink(at: now) == [key: 0])
        lanes.end(lane("1"), after: .microseconds(10), at: now)
        #expect(lanes.inFlight == AttemptLines.limit)
        #expect(lanes.roomBySink(at: now) == [key: SinkLane.aheadLimit + 1 - AttemptLines.limit])
        #expect(lanes.room >= SinkLane.aheadLimit)
    }

    @Test("a sink with a rate limit has nothing ahead, and its room is not offered")
    func rateLimited() {
        var lanes = SinkLanes()
        let policy = SinkPolicy(rateLimit: RateLimit("10/s"))
        lanes.open(
            lane("1"), ConfiguredSink(RecordingSink(recording, maxConcurrent: 2), policy: policy), at: now)
        lanes.begin(lane("1"), at: now)
        lanes.end(lane("1"), after: .milliseconds(1), at: now)
        let later = now.advanced(by: .seconds(1))
        #expect(lanes.roomBySink(at: later) == [key: 2])
        #expect(lanes.roomToOffer(at: later) == [key: 0])
        #expect(lanes.room == AttemptLines.limit)
    }

    @Test("where some wait and the last one took long, they go back, however few of many have ended")
    func slowAfterOneThatWasNotMade() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"), at: now)
        // One that had expired, for example.
        lanes.end(lane("1"), after: .zero, at: now)
        for _ in 0..<100 { lanes.begin(lane("1"), at: now) }
        #expect(lanes.slowed(since: now).isEmpty)
        lanes.end(lane("1"), after: .seconds(5), at: now)
        #expect(lanes.slowed(since: now) == [lane("1")])
    }

    @Test("where some wait and none has ended for a while, nothing more is ahead")
    func slowed() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"), at: now)
        lanes.end(lane("1"), after: .zero, at: now)
        for _ in 0..<3 { lanes.begin(lane("1"), at: now) }
        #expect(lanes.slowed(since: now).isEmpty)
        #expect(lanes.slowed(since: now.advanced(by: .nanoseconds(1))) == [lane("1")])
        #expect(lanes.roomBySink(at: now) == [key: 0])
    }
}
