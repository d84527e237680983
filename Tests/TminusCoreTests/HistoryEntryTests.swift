import Testing

@testable import TminusCore

@Suite("The end of an action that goes to several sinks")
struct HistoryEntryTests {
    private func end(_ parts: (DeliveryState, String?, Double?)...) -> HistoryEntry.End {
        HistoryEntry(
            occurrence: at(0), action: "expiry", due: at(0),
            deliveries: parts.map { HistoryEntry.Part(state: $0, reason: $1, settled: $2.map { at($0) }) }
        ).end
    }

    @Test("it is open while one is open, failed if one failed, skipped if one was skipped and none delivered")
    func ends() {
        #expect(end((.delivered, nil, 1), (.pending, nil, nil)) == .open)
        #expect(end((.delivered, nil, 1), (.dead, "exit status 1", 2)) == .failed(reason: "exit status 1"))
        #expect(end((.skipped, "moved", 1), (.skipped, "moved", 1)) == .skipped(reason: "moved"))
    }

    @Test("it was delivered when the last sink acknowledged it, and not when another delivery was withdrawn")
    func instant() {
        #expect(end((.delivered, nil, 3), (.delivered, nil, 5)) == .delivered(at(5)))
        #expect(end((.delivered, nil, 3), (.skipped, "moved", 900)) == .delivered(at(3)))
    }
}
