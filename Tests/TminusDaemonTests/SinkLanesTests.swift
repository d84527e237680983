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
        for _ in 0..<3 { lanes.end(lane("1")) }
        #expect(lanes.inFlight == 0)
        #expect(lanes.room == SinkLanes.limit)
    }

    @Test("a lane that does not exist takes and gives nothing")
    func unknownLane() {
        var lanes = SinkLanes()
        lanes.begin(lane("1"), at: now)
        lanes.end(lane("2"))
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
        lanes.end(lane("1"))
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
        for _ in 0..<SinkLanes.limit { lanes.begin(lane("1"), at: now) }
        lanes.open(lane("1", "idle"), ConfiguredSink(RecordingSink(recording, maxConcurrent: 5)), at: now)
        #expect(lanes.roomBySink(at: now) == [key: 0, SinkKey("idle"): 1])
        #expect(lanes.room == SinkLanes.firmLimit - SinkLanes.limit)
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
}
