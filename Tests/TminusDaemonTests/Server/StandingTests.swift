import Testing
import TminusControl
import TminusCore
import TminusTestKit

@testable import TminusDaemon
@testable import TminusDefinitions

@Suite("What is undelivered, over the control socket")
struct StandingTests {
    private static let chat = SinkKey("chat")

    private func firing(_ id: String, at second: Double, _ action: FiringAction = .expiry) -> Firing {
        let payload = Payload(
            id: id, kind: .timer, name: id, description: nil, labels: [:], due: "", timezone: "UTC", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: ""), scheduled: at(second), fired: at(second), late: 0,
            isCatchUp: false, occurrence: at(second), message: "")
        return Firing(
            definition: .test(id), occurrence: at(second), action: action, due: at(second), payload: payload,
            sinks: [Self.chat])
    }

    /// Writes an expiry of a definition, and ends its first attempt.
    private func attempt(
        _ harness: ControlHarness, _ id: String, at second: Double = -10, _ outcome: Outcome
    ) async throws {
        let claim = ClaimRequest(owner: "me", limit: 10, otherRoom: 10, until: at(600))
        let committed = try await harness.store.commit(
            Commit(firings: [firing(id, at: second)], claim: claim), now: at(second))
        let settlements = committed.claimed.map { Settlement(token: $0.claim.token, id: $0.id, outcome: outcome) }
        try await harness.store.commit(Commit(settlements: settlements), now: at(second + 1))
    }

    @Test("the status counts undelivered deliveries by sink, and lists definitions with their last outcomes")
    func status() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("a"), .idle("b"), .idle("c")])
        try await attempt(harness, "a", .dead(reason: "HTTP 410"))
        try await attempt(harness, "b", .delivered)
        try await harness.run { (client: ControlClient) async throws in
            let status = try await client.status()
            let deliveries = try #require(status.deliveries)
            #expect(deliveries.dead == 1 && deliveries.oldestDead == at(-9).rfc3339 && deliveries.retrying == 0)
            #expect(deliveries.sinks.map(\.sink) == ["chat"])
            #expect(status.definitions.map(\.id) == ["a"])
            #expect(status.definitions[0].lastOutcome?.message == "HTTP 410")
            #expect(status.definitions[0].lastOutcome?.reason == "http-status")
            #expect(status.attention.map(\.reason) == [.deadLetters])
            let all = try await client.status(definitions: true).definitions
            #expect(all.map(\.id) == ["a", "b", "c"])
            #expect(all.map { $0.lastOutcome?.end } == ["failed", "delivered", nil])
        }
    }

    @Test("a store that cannot be read is part of the status, which is answered all the same")
    func unreadable() async throws {
        let harness = try ControlHarness()
        harness.store.refuse(.standing)
        try await harness.run { (client: ControlClient) async throws in
            let status = try await client.status()
            #expect(status.deliveries == nil && status.attention.map(\.reason) == [.store])
        }
    }

    @Test("while the store refuses an edit, not everything is in force, and the last success is that of what is")
    func waiting() async throws {
        let harness = try ControlHarness()
        var load = harness.board.load
        load.take(
            LoadResult(set: DefinitionSet(), files: [], diagnostics: [], hash: "cd"), state: 1, isOtherSet: true,
            parsedFiles: 1, zoneVersion: nil, problems: [], at: at(60))
        let edit = load
        try await harness.run { (client: ControlClient) async throws in
            harness.board.publish(edit)
            let moment = try await client.status()
            #expect(moment.live.line == "generation 1, 0 definitions, all in force", "every edit waits a moment")
            harness.board.store(.refuses("no room"))
            let waiting = try await client.status()
            #expect(
                waiting.live.line(more: "") == """
                    generation 1, 0 definitions, not everything in the directory is in force: the store has not taken the \
                    last edits yet
                    """)
            #expect(!waiting.live.isInOrder && waiting.live.isWaiting)
            #expect(waiting.lastAttempt == at(60).rfc3339 && waiting.lastSuccess == at(0).rfc3339)
            harness.board.publish(inForce: edit)
            harness.board.store(.works)
            let stored = try await client.status()
            #expect(stored.live.line == "generation 2, 0 definitions, all in force")
            #expect(!stored.live.isWaiting && stored.lastSuccess == at(60).rfc3339)
        }
    }

    @Test("items show what of them is retried or dead, and their last outcome where it is asked for")
    func items() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("a"), .idle("b")])
        try await attempt(harness, "a", .retry(at: at(60), reason: "busy"))
        try await harness.run { (client: ControlClient) async throws in
            let items = try await client.items().items
            #expect(items.map(\.undelivered) == [UndeliveredCount(retrying: 1, nextAttempt: at(60)), nil])
            #expect(items.map(\.lastOutcome) == [nil, nil])
            let full = try await client.items(outcomes: true).items
            #expect(full.map { $0.lastOutcome?.end } == ["open", nil])
        }
    }

    @Test("the history of all definitions has outcomes and controls, the newest first")
    func history() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("a"), .idle("b")])
        try await attempt(harness, "a", at: -30, .delivered)
        try await attempt(harness, "b", at: -10, .dead(reason: "no"))
        let pause = ControlRecord(definition: .test("a"), control: "pause", by: "ada", at: at(-20), note: "lunch")
        let mute = ControlRecord(definition: nil, control: "mute", by: "eve", at: at(-5))
        try await harness.store.commit(Commit(controls: [pause, mute]), now: at(0))
        try await harness.run { (client: ControlClient) async throws in
            let all = try await client.history(limit: 10)
            #expect(all.map(\.action) == ["control:mute", "expiry", "control:pause", "expiry"])
            #expect(all.map(\.definition) == [nil, "b", "a", "a"])
            #expect(all.map(\.note) == [nil, nil, "lunch", nil])
            #expect(try await client.history(limit: 2) == Array(all.prefix(2)))
            let own = try await client.history("a", limit: 10)
            #expect(own.map(\.action) == ["control:mute", "control:pause", "expiry"])
            #expect(own[1].by == "ada" && own[1].at == at(-20).rfc3339 && own[1].isControl)
        }
    }

    @Test("the details of an item have its rule, reminders, actions, sinks, deliveries and controls")
    func details() async throws {
        let harness = try ControlHarness()
        let timer = Definition.timer(
            "tea", .seconds(60), remind: [.seconds(50), .seconds(20), .seconds(10)], to: ["chat"])
        let entry = ScheduleEntry(
            definition: timer,
            state: ScheduleState(
                id: timer.id, kind: .timer, fingerprint: 0, leads: 0, phase: .armed, cursor: at(0), start: at(-30),
                deadline: at(30)))
        harness.desk.put([entry])
        var fired = firing("tea", at: 30, timer.reminders[0].action)
        fired.due = at(-20)
        let reminder = fired
        let record = ControlRecord(definition: timer.id, control: "start", by: "ada", at: at(-30), note: "guests")
        try await harness.store.commit(Commit(firings: [reminder], controls: [record]), now: at(-20))
        try await harness.run { (client: ControlClient) async throws in
            let (item, details) = try ControlClient.details(try await client.detailsJSON("tea"))
            #expect(item.id == "tea" && item.lastOutcome?.end == "open")
            #expect(details.schedule.key == "duration" && details.schedule.rule == "1 minute")
            #expect(details.schedule.repeat == "never" && details.schedule.clock == "elapsed")
            #expect(details.leads.map(\.lead) == ["50 seconds before", "20 seconds before", "10 seconds before"])
            #expect(details.leads.map(\.status) == ["open", "next", "later"])
            #expect(details.leads.map(\.due) == [at(-20), at(10), at(20)].map(\.rfc3339))
            #expect(details.actions.onExpiry == ["chat"] && details.sinks.map(\.sink) == ["chat"])
            #expect(details.deliveries.map(\.action) == [reminder.action.rawValue])
            #expect(details.controls.map(\.note) == ["guests"])
        }
    }

    @Test("viewers get the problems of files, and items whose deliveries begin or cease to fail")
    func stream() async throws {
        let harness = try ControlHarness()
        let idle = ScheduleEntry.idle("a")
        harness.desk.put([idle])
        try await harness.run { (client: ControlClient) async throws in
            var events = client.events().makeAsyncIterator()
            guard case .snapshot(let list)? = try await events.next()?.event else {
                throw ConformanceFailure("no snapshot")
            }
            #expect(list.items.map(\.undelivered) == [nil])
            try await attempt(harness, "a", .dead(reason: "no"))
            harness.desk.put([idle])
            guard case .item(let item)? = try await events.next()?.event else { throw ConformanceFailure("no item") }
            #expect(item.undelivered == UndeliveredCount(dead: 1, oldestDead: at(-9)))
            // A discard changes the item, but not the schedule.
            #expect(try await client.discardAll(definition: "a", sink: nil) == 1)
            guard case .item(let well)? = try await events.next()?.event else { throw ConformanceFailure("no item") }
            #expect(well.undelivered == nil)
            var load = harness.board.load
            load.fail(
                problems: [Diagnostic(.error, "cannot be read", at: SourceLocation(file: "/config"))], state: 1,
                at: at(1))
            harness.board.publish(load)
            guard case .problems(let lines)? = try await events.next()?.event else {
                throw ConformanceFailure("no problems")
            }
            #expect(lines == ["cannot be read"])
        }
    }
}
