import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Sink lanes")
struct SinkLanesTests {
    private let recording = Recording()
    private let key = SinkKey("s")

    private func lane(_ revision: String, _ key: String = "s") -> SinkLane.ID {
        SinkLane.ID(key: SinkKey(key), revision: revision)
    }

    private func lanes(_ id: SinkLane.ID, maxConcurrent: Int = 2) -> SinkLanes {
        var lanes = SinkLanes()
        lanes.open(id, RecordingSink(recording, maxConcurrent: maxConcurrent))
        return lanes
    }

    @Test("room is taken and given back")
    func room() {
        var lanes = lanes(lane("1"))
        for left in [2, 1, 0] {
            #expect(lanes.roomBySink == [key: left])
            lanes.begin(lane("1"))
        }
        #expect(lanes.roomBySink == [key: 0])
        for _ in 0..<3 { lanes.end(lane("1")) }
        #expect(lanes.inFlight == 0)
        #expect(lanes.room == SinkLanes.limit)
    }

    @Test("a lane that does not exist takes and gives nothing")
    func unknownLane() {
        var lanes = SinkLanes()
        lanes.begin(lane("1"))
        lanes.end(lane("2"))
        #expect(lanes.inFlight == 0)
    }

    @Test("the revision in force has all its room, whatever runs in former ones")
    func revisions() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"))
        lanes.update([key: "2", SinkKey("other"): "9"])
        #expect(lanes.roomBySink.isEmpty)
        lanes.open(lane("2"), RecordingSink(recording, maxConcurrent: 3))
        #expect(lanes.roomBySink == [key: 3])
        #expect(lanes.retire().isEmpty)
        lanes.end(lane("1"))
        #expect(lanes.retire().count == 1)
        #expect(lanes.lanes.keys.map(\.revision) == ["2"])
    }

    @Test("an edit that is taken back goes on in the first lane")
    func editedBack() {
        var lanes = lanes(lane("1"))
        lanes.begin(lane("1"))
        lanes.open(lane("2"), RecordingSink(recording, maxConcurrent: 3))
        lanes.begin(lane("1"))
        #expect(lanes.roomBySink == [key: 0])
        #expect(lanes.retire().count == 1)
        #expect(lanes.lanes.keys.map(\.revision) == ["1"])
    }

    @Test("at the limit every sink that runs nothing may still run one")
    func full() {
        var lanes = lanes(lane("1"), maxConcurrent: 1_000)
        for _ in 0..<SinkLanes.limit { lanes.begin(lane("1")) }
        lanes.open(lane("1", "idle"), RecordingSink(recording, maxConcurrent: 5))
        #expect(lanes.roomBySink == [key: 0, SinkKey("idle"): 1])
        #expect(lanes.room == SinkLanes.firmLimit - SinkLanes.limit)
    }

    @Test("of very many idle sinks none is kept")
    func surplus() {
        var lanes = SinkLanes()
        for number in 0...SinkLanes.idleLimit { lanes.open(lane("1", "s\(number)"), RecordingSink(recording)) }
        lanes.begin(lane("1", "s0"))
        #expect(lanes.retire().isEmpty)
        lanes.open(lane("1", "more"), RecordingSink(recording))
        #expect(lanes.retire().count == SinkLanes.idleLimit + 1)
        #expect(lanes.lanes.count == 1)
    }
}
