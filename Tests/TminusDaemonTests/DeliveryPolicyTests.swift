import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Policies of delivery")
struct DeliveryPolicyTests {
    let recording = Recording()
    let alarm = Recording()

    private func sink(_ options: [String: String]) -> SinkSpec {
        var spec = recording.sink()
        guard case .mapping(let entries) = spec.options.content else { return spec }
        let more = options.sorted { $0.key < $1.key }.map { Node.Entry(key: $0.key, value: Node(.scalar($0.value))) }
        spec.options = Node(.mapping(entries + more))
        return spec
    }

    @Test("a rate limit spaces the attempts of its sink, and delays no other sink")
    func rateLimit() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load(
                (0..<3).map { .timer("t\($0)", to: ["s", "free"]) }, [sink(["rate-limit": "1/s"]), alarm.sink("free")])
            for second in [60.0, 61, 62] {
                try await harness.advance(to: second)
                try await recording.waitForEnds(Int(second) - 59, upTo: Bounded.limit)
                try await alarm.waitForEnds(3, upTo: Bounded.limit)
                #expect(recording.deliveries.count == Int(second) - 59)
            }
            try await harness.settled(6)
        }
    }

    @Test("what a rate limit has accumulated is used at once, also after an edit of the sink")
    func rateLimitTogether() async throws {
        let harness = DaemonHarness()
        let before = (0..<3).map { Definition.timer("t\($0)", .seconds(300)) } + [.timer("first")]
        try await harness.run { _ in
            harness.load(before, [sink(["rate-limit": "3/min"])])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(1)
            // Edited while the limit leaves no room, so that it outlives the former revision.
            let edited = sink(["rate-limit": "3/min", "message": "edited"])
            harness.load(before + [.timer("mark", .seconds(10), to: ["free"])], [edited, alarm.sink("free")])
            for second in [70.0, 80, 300] {
                if second == 300 { recording.answer { _ in .hold } }
                try await harness.advance(to: second)
            }
            try await recording.waitForDeliveries(4, upTo: Bounded.limit)
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(5)
        }
    }

    @Test("a clock that is set back delays no retry")
    func clockSetBack() async throws {
        recording.answer { $0.attempt == 1 ? .fail(.transient("busy")) : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(61))
            harness.clock.set(to: at(60 - 7_200))
            try await harness.sleeps(until: at(61 - 7_200))
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1", "t expiry 2"])
    }

    @Test("a clock that is set during an attempt does not end the retries")
    func clockSetDuringAttempt() async throws {
        recording.answer { $0.attempt == 1 ? .holdThenFail(.transient("busy")) : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.advance(to: 60)
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            // Two days, and the retries end after one.
            harness.clock.set(to: at(172_860))
            recording.release()
            try await harness.advance(to: 172_861)
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1", "t expiry 2"])
    }

    @Test("a reminder is not retried after its occurrence, and the expiry does not wait for it")
    func reminderExpires() async throws {
        recording.answer { $0.action == .reminder ? .fail(.transient("busy")) : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer(remind: [.seconds(10)])], [recording.sink()])
            for second in [50.0, 51, 53, 57] {
                try await harness.advance(to: second)
            }
            try await harness.stored("expired") { $0.first?.state == .expired }
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(3))
            try await harness.settled(2)
        }
        #expect(harness.store.memory.deliveries.map(\.state) == [.expired, .delivered])
        #expect(try await harness.records().first?.log.count == 4)
    }

    @Test("a retry has its own lateness, remaining time and message, and all else of the first attempt")
    func retryPayload() async throws {
        recording.answer { $0.attempt == 1 ? .fail(.transient("busy")) : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer(remind: [.seconds(10)])], [recording.sink()])
            for second in [50.0, 51] { try await harness.advance(to: second) }
            try await harness.settled(1)
        }
        let deliveries = recording.deliveries
        try #require(deliveries.map(\.attempt) == [1, 2])
        let (first, second) = (deliveries[0].payload, deliveries[1].payload)
        #expect(first.late == 0 && second.late == 1_000_000_000)
        #expect([first, second].map(\.remaining.text) == ["10 s", "9 s"])
        #expect([first, second].map(\.message) == ["t ends in 10 seconds", "t ends in 9 s"])
        var same = deliveries[1]
        (same.attempt, same.payload, same.claim) = (1, first, deliveries[0].claim)
        #expect(same == deliveries[0])
        #expect(second.scheduled == first.scheduled && second.fired == first.fired && second.due == first.due)
    }

    @Test("a reminder that expires while its sink is full is not sent, and on-failure is notified")
    func expiresWaiting() async throws {
        recording.answer { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            var late = Definition.timer("late", .seconds(70), remind: [.seconds(5)])
            late.onFailure = [SinkKey("alarm")]
            harness.load([.timer("first"), late], [recording.sink(maxConcurrent: 1), alarm.sink("alarm")])
            for second in [60.0, 65, 70] {
                try await harness.advance(to: second)
            }
            try await harness.stored("written") { $0.count == 3 }
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(4)
        }
        #expect(recording.shorts == ["first expiry 1", "late expiry 1"])
        let failure = alarm.deliveries.first?.payload.failure
        #expect(failure?.action == .reminder && failure?.attempts == 0)
    }

    @Test("on-failure is notified of what failed, where and why, and its own failure notifies nobody")
    func onFailure() async throws {
        recording.answer { _ in .fail(.permanent("410 Gone", report: DeliveryReport(httpStatus: 410))) }
        alarm.answer { _ in .fail(.permanent("no")) }
        let harness = DaemonHarness()
        try await harness.run { _ in
            var definition = Definition.timer()
            definition.onFailure = [SinkKey("alarm")]
            harness.load([definition], [recording.sink(), alarm.sink("alarm")])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(2)
            try await harness.sleeps(until: nil)
        }
        #expect(alarm.shorts == ["t failure 1"])
        let payload = try #require(alarm.deliveries.first?.payload)
        let failed = try #require(recording.deliveries.first)
        #expect(
            payload.failure
                == Payload.Failure(
                    delivery: failed.id.rawValue, action: .expiry, sink: "s", reason: "410 Gone", attempts: 1))
        #expect(payload.message == "t: the expiry did not reach s: 410 Gone")
        #expect(harness.store.memory.deliveries.map(\.state) == [.dead, .dead])
        #expect(try await harness.records().first?.log.first?.report.httpStatus == 410)
    }

    @Test("on-failure is notified of a missed expiry")
    func missed() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            var definition = Definition.event(at: [at(700)])
            definition.grace = .seconds(60)
            definition.onFailure = [SinkKey("alarm")]
            harness.load([definition], [recording.sink(), alarm.sink("alarm")])
            try await harness.sleeps(until: at(700))
            harness.clock.set(to: at(3_700))
            try await harness.settled(1)
        }
        #expect(recording.shorts.isEmpty)
        #expect(alarm.shorts == ["e missed 1"])
        #expect(alarm.deliveries.first?.payload.missed == Payload.Missed(reason: .tooLate, count: 1))
    }

    @Test("overlap skip: the next occurrence is skipped while an action runs")
    func skip() async throws {
        recording.answer { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(10), .immediately)], [sink(["overlap": "skip"])])
            try await harness.sleeps(until: at(10))
            harness.clock.advance(by: .seconds(10))
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            try await harness.sleeps(until: at(20))
            harness.clock.advance(by: .seconds(10))
            try await harness.stored("skipped") { $0.last?.state == .skipped }
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(2)
            try await harness.sleeps(until: at(30))
            harness.clock.advance(by: .seconds(10))
            try await harness.settled(3)
        }
        #expect(recording.deliveries.map(\.due) == [at(10), at(30)])
    }

    @Test("overlap replace: the next occurrence cancels the running action")
    func replace() async throws {
        recording.answer { $0.due == at(10) ? .hold : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            var definition = Definition.timer("t", .seconds(10), .immediately)
            definition.overlap = .replace
            harness.load([definition], [recording.sink()])
            try await harness.sleeps(until: at(10))
            harness.clock.advance(by: .seconds(10))
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            try await harness.sleeps(until: at(20))
            harness.clock.advance(by: .seconds(10))
            try await harness.settled(2)
        }
        #expect(harness.store.memory.deliveries.map(\.state) == [.skipped, .delivered])
    }

    @Test("the expiry of an occurrence waits for its reminder, and then the next cycle starts")
    func skippedCycle() async throws {
        recording.answer { $0.action == .reminder ? .hold : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load(
                [.timer("t", .seconds(60), .afterAction, remind: [.seconds(10)])], [sink(["overlap": "skip"])])
            for second in [50.0, 60] {
                try await harness.advance(to: second)
            }
            // Reminder and expiry are of one occurrence: the expiry waits.
            try await harness.stored("queued") { $0.last?.state == .queued }
            recording.release()
            try await harness.settled(2)
            try await harness.sleeps(until: at(110))
        }
    }

    @Test("an action that a kill interrupted is repeated, and the next occurrence follows")
    func killed() async throws {
        let harness = DaemonHarness(owner: "new")
        let running = Firing(
            definition: .test("t"), occurrence: at(-30), action: .expiry, due: at(-30), payload: .test,
            sinks: [SinkKey("s")],
            overlaps: [SinkKey("s"): .skip])
        let request = ClaimRequest(owner: "killed", limit: 1, otherRoom: 1, until: at(3_600))
        let committed = try await harness.store.memory.commit(
            Commit(sinks: [sink(["overlap": "skip"])], firings: [running], claim: request), now: at(-30))
        #expect(committed.claimed.count == 1)
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(60))], [sink(["overlap": "skip"])])
            try await harness.settled(1)
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(2)
        }
        #expect(recording.shorts == ["t expiry 2", "t expiry 1"])
    }
}

extension Payload {
    static let test = Payload(
        id: "t", kind: .timer, name: "t", description: nil, labels: [:], due: "", timezone: "UTC", before: nil,
        remaining: Amount(nanoseconds: 0, text: "now"), scheduled: at(0), fired: at(0), late: 0, isCatchUp: false,
        occurrence: at(0), message: "t has ended")
}
