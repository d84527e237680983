import Logging
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

/// What hurt the users of other schedulers, tried with the real engine. The article on time lists all, each with its tests.
@Suite("Where schedulers go wrong: the engine")
struct WhereSchedulersGoWrongTests {
    let recording = Recording()

    @Test("an edit during an action of ten minutes does not wait for it, and delays nothing")
    func reloadDuringAction() async throws {
        recording.answer { $0.payload.id == "slow" ? .hold : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            let slow = Definition.timer("slow", .seconds(60), to: ["hook"])
            let sinks = [recording.sink("hook", maxConcurrent: 1), recording.sink()]
            harness.load([slow, .timer("other", .seconds(300))], sinks)
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            try await harness.sleeps(until: at(300))

            harness.load([slow, .timer("other", .seconds(300)), .timer("new", .seconds(30))], sinks)
            try await harness.sleeps(until: at(90))
            harness.clock.advance(by: .seconds(30))
            try await recording.waitForEnds(1, upTo: Bounded.limit)
            harness.load([slow, .timer("other", .seconds(200))], sinks)
            try await harness.sleeps(until: at(200))
            harness.clock.advance(by: .seconds(110))
            try await recording.waitForEnds(2, upTo: Bounded.limit)
            #expect(recording.shorts == ["slow expiry 1", "new expiry 1", "other expiry 1"])
            #expect(recording.deliveries.allSatisfy { $0.payload.late == 0 })

            harness.clock.advance(by: .seconds(460))
            recording.release()
            try await harness.settled(3)
        }
        #expect(recording.shorts.count == 3, "the action of ten minutes ran once, and to its end")
    }

    @Test(
        "a clock set by a minute, two hours or a day in either direction changes no countdown, and the event comes once",
        arguments: [60, -60, 7_200, -7_200, 86_400, -86_400])
    func clockSet(seconds: Int) async throws {
        let harness = DaemonHarness()
        let step = Duration.seconds(seconds)
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(600)), .event("e", at: [at(400)])], [recording.sink()])
            try await harness.sleeps(until: at(400))
            harness.clock.advance(by: .seconds(100))
            harness.clock.set(to: at(100).advanced(by: step))
            // What the step passed over goes out at once; otherwise the event waits for the clock, the countdown does not.
            let isPassed = at(100).advanced(by: step) >= at(400)
            let end = at(600).advanced(by: step)
            if isPassed { try await harness.settled(1) }
            try await harness.sleeps(until: isPassed ? end : min(at(400), end))
            for target in [at(400), end].sorted() where target > harness.clock.now {
                harness.clock.advance(by: harness.clock.now.duration(to: target))
                try await harness.settled(target == at(400) && end > target || target == end && end < at(400) ? 1 : 2)
            }
            try await harness.settled(2)
        }
        #expect(recording.shorts.sorted() == ["e expiry 1", "t expiry 1"])
        let timer = recording.deliveries.first { $0.payload.id == "t" }
        #expect(timer?.due == at(600).advanced(by: step) && timer?.payload.late == 0)
    }

    @Test(
        "after a suspend of ten hours what came due is sent at once and marked, no deadline overflows, nothing comes twice"
    )
    func suspend() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load(
                [
                    .timer("t", .seconds(3_600)), .timer("rate", .seconds(7), .immediately),
                    .event("e", at: [at(7_200), at(40_000)]),
                ], [recording.sink()])
            try await harness.sleeps(until: at(7))
            harness.clock.sleep(for: .seconds(36_000))
            // The second of what was missed has the second slot.
            try await harness.sleeps(until: at(36_000).advanced(by: CatchUp.spacing))
            harness.clock.advance(by: CatchUp.spacing)
            try await harness.stored("caught up") { $0.count >= 2 && $0.allSatisfy { !$0.isOpen } }
            try await harness.advance(to: 36_001)
            try await harness.stored("on its grid") { deliveries in
                deliveries.contains { $0.firing.due == at(36_001) && !$0.isOpen }
            }
        }
        let caughtUp = recording.deliveries.filter(\.payload.isCatchUp).map(\.payload.id).sorted()
        #expect(caughtUp == ["e", "t"])
        #expect(Set(recording.deliveries.map(\.id)).count == recording.deliveries.count)
        #expect(harness.log.lines.count { $0.message == "the machine slept" } == 1)
    }
}
