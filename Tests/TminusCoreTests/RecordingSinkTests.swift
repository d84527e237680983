import Testing
import TminusCore
import TminusTestKit

@Suite("recording sink")
struct RecordingSinkTests {
    @Test("a sink made from its options records for the test that wrote them")
    func registry() async throws {
        let recording = Recording()
        let diagnostics = DiagnosticBag(file: "tminus.yaml")
        let registry = SinkRegistry([RecordingSink.self])
        let sink = try #require(registry.make(recording.spec(name: "chat"), root: "/", reporting: diagnostics)?.sink)
        try await sink.deliver(delivery(1))
        await sink.shutdown()
        #expect(recording.deliveries == [delivery(1)])
        #expect(recording.shutdowns == 1)
    }

    @Test("answers from the script: refuses, holds until released, and stops when cancelled")
    func script() async throws {
        let recording = Recording { $0.attempt == 1 ? .fail(.permanent("no")) : .hold }
        let sink = RecordingSink(recording)
        await #expect(throws: DeliveryError.permanent("no")) { try await sink.deliver(delivery(1)) }
        async let held = sink.deliver(delivery(2))
        try await recording.waitForDeliveries(2)
        recording.release()
        _ = try await held
        let cancelled = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                do throws(DeliveryError) { try await sink.deliver(self.delivery(3)) } catch { return error.isTransient }
                return false
            }
            try await recording.waitForDeliveries(3)
            group.cancelAll()
            return try await group.next()
        }
        #expect(cancelled == true)
        try await recording.waitForEnds(3)
    }

    private func delivery(_ attempt: Int) -> Delivery {
        let (tea, at) = (DefinitionID("tea")!, Timestamp(seconds: 60))
        let payload = Payload(
            id: "tea", kind: .timer, name: "tea", description: nil, labels: [:], due: "", timezone: "UTC", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: "now"), scheduled: .distantPast,
            fired: .distantPast, late: 0, isCatchUp: false, occurrence: .distantPast, message: "")
        return Delivery(
            id: DeliveryID(definition: tea, occurrence: at, action: .expiry, sink: SinkKey("chat")), definition: tea,
            occurrence: at, action: .expiry, sink: SinkKey("chat"), due: at, attempt: attempt, source: "/tminus/test",
            payload: payload)
    }
}
