import Foundation
import Testing
import TminusControl
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Trying actions")
struct FireTests {
    /// A timer with an expiry to two sinks and a reminder to one of them.
    private static func entry() throws -> ScheduleEntry {
        let idle = ScheduleEntry.idle("tea")
        var definition = idle.definition
        definition.onExpiry = [SinkKey("chat"), SinkKey("shell:0123")]
        definition.reminders = [Reminder(try CalendarSpan.parse("1 min").get(), actions: [SinkKey("chat")])]
        return ScheduleEntry(definition: definition, state: idle.state)
    }

    private struct Event: Decodable {
        struct Amount: Decodable {
            var text: String
        }

        struct Body: Decodable {
            var test: Bool?
            var message: String
            var remaining: Amount
        }

        var id: String
        var type: String
        var data: Body
    }

    private static func event(_ delivery: FireAnswer.Delivery) throws -> Event {
        try JSONDecoder().decode(Event.self, from: Data(delivery.event.utf8))
    }

    @Test("an expiry is sent marked as a test, and the schedule does not change")
    func expiry() async throws {
        let harness = try ControlHarness()
        harness.desk.put([try Self.entry()])
        try await harness.run { (client: ControlClient) async throws in
            let before = try await client.item("tea")
            let answer = try await client.fire("tea", FireBody())
            #expect(answer.isSent)
            #expect(answer.deliveries.map(\.sink) == ["chat", "shell:0123"])
            #expect(answer.deliveries.map(\.sinkTitle) == ["chat", "shell 'true' (a.yaml:1)"])
            let event = try Self.event(answer.deliveries[0])
            #expect(event.id == answer.deliveries[0].id)
            #expect(event.type == "tminus.expiry")
            #expect(event.data.test == true)
            #expect(event.data.message.hasPrefix("Test: "))
            let stored = harness.store.memory.deliveries
            #expect(stored.map(\.id.rawValue).sorted() == answer.deliveries.map(\.id).sorted())
            #expect(
                stored.allSatisfy { $0.firing.payload.isTest == true && $0.firing.action.rawValue.hasPrefix("test:") })
            // It holds no other delivery up, and waits for none.
            #expect(stored.allSatisfy { $0.firing.targets.allSatisfy { $0.overlap == .allow } })
            #expect(try await client.item("tea") == before)
            // Each time is another delivery.
            harness.clock.advance(by: .seconds(1))
            let again = try await client.fire("tea", FireBody(sink: "shell"))
            #expect(again.deliveries.map(\.sink) == ["shell:0123"])
            #expect(harness.store.memory.deliveries.count == 3)
        }
    }

    @Test("the answer contains the known outcomes if the client waits")
    func outcomes() async throws {
        let harness = try ControlHarness()
        harness.desk.put([try Self.entry()])
        harness.desk.answer([SinkKey("chat"): .retry(at: at(9), reason: "exit status 75")])
        try await harness.run { (client: ControlClient) async throws in
            let answer = try await client.fire("tea", FireBody(waits: true))
            #expect(answer.deliveries.map(\.outcome) == [.retry, nil])
            #expect(answer.deliveries.map(\.message) == ["exit status 75", nil])
            #expect(answer.deliveries.map(\.nextAttempt) == [at(9).rfc3339, nil])
            harness.clock.advance(by: .seconds(1))
            #expect(try await client.fire("tea", FireBody()).deliveries.map(\.outcome) == [nil, nil])
        }
    }

    @Test("a test that is dead in the answer is discarded; one that nobody waits for is not")
    func dead() async throws {
        let harness = try ControlHarness()
        harness.desk.put([try Self.entry()])
        harness.desk.answer([SinkKey("chat"): .dead(reason: "exit status 1"), SinkKey("shell:0123"): .delivered])
        try await harness.run { (client: ControlClient) async throws in
            let answer = try await client.fire("tea", FireBody(waits: true))
            #expect(answer.deliveries.map(\.outcome) == [.dead, .delivered])
            func discarded() -> [SinkKey] {
                harness.store.memory.deliveries.filter { $0.state == .discarded }.map(\.sink)
            }
            #expect(discarded() == [SinkKey("chat")])
            harness.clock.advance(by: .seconds(1))
            _ = try await client.fire("tea", FireBody())
            #expect(discarded().count == 1)
        }
    }

    @Test("a dry run shows what a sink would get, and sends nothing")
    func dryRun() async throws {
        let harness = try ControlHarness()
        harness.desk.put([try Self.entry()])
        try await harness.run { (client: ControlClient) async throws in
            let answer = try await client.fire("tea", FireBody(reminder: "60s", isDryRun: true))
            #expect(!answer.isSent)
            #expect(answer.deliveries.map(\.sink) == ["chat"])
            let event = try Self.event(answer.deliveries[0])
            #expect(event.type == "tminus.reminder")
            #expect(event.data.remaining.text == "1 min")
            #expect(harness.store.memory.deliveries.isEmpty)
        }
    }

    @Test("a dry run shows the message, body and header fields of each sink, and its event as an object")
    func drafts() async throws {
        let harness = try ControlHarness()
        harness.desk.put([try Self.entry()])
        harness.desk.draft(for: SinkKey("chat")) { delivery in
            var delivery = delivery
            delivery.payload.message = "Tea!"
            return DeliveryDraft(
                delivery, content: .text("text=Tea%21"), headers: [.init("X-Key", DeliveryDraft.secret)])
        }
        try await harness.run { (client: ControlClient) async throws in
            let answer = try await client.fire("tea", FireBody(isDryRun: true))
            let (chat, shell) = (answer.deliveries[0], answer.deliveries[1])
            #expect(try Self.event(chat).data.message == "Tea!")
            #expect(chat.body == "text=Tea%21" && chat.headers == [.init("X-Key", "(secret)")])
            #expect(try Self.event(shell).data.message == "Test: tea has ended")
            #expect(shell.body == nil && shell.headers == [])
            let object = try JSONSerialization.jsonObject(with: Data(answer.json)) as? [String: Any]
            let first = try #require((object?["deliveries"] as? [[String: Any]])?.first)
            #expect((first["event"] as? [String: Any])?["type"] as? String == "tminus.expiry")
            #expect(try FireAnswer(json: answer.json) == answer)
        }
    }

    @Test(
        "an unknown reminder or sink is refused with the known ones",
        arguments: [
            (FireBody(reminder: "2 min"), "tea: no reminder has that lead time; its reminders are 1 minute"),
            (
                FireBody(sink: "mail"),
                "tea: the action does not use that sink; its sinks are chat, shell 'true' (a.yaml:1)"
            ),
            (FireBody(reminder: "1 min", sink: "shell"), "tea: the action does not use that sink; its sinks are chat"),
        ])
    func refused(_ body: FireBody, _ message: String) async throws {
        let harness = try ControlHarness()
        harness.desk.put([try Self.entry()])
        try await harness.run { (client: ControlClient) async throws in
            let failure = await #expect(throws: ControlFailure.self) { _ = try await client.fire("tea", body) }
            #expect(failure?.message == message)
            #expect(harness.store.memory.deliveries.isEmpty)
        }
    }
}
