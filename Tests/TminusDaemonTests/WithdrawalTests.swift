import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

/// The table "What is withdrawn" of the article Delivery, in a running engine.
@Suite("What is withdrawn while it waits")
struct WithdrawalTests {
    private typealias Scene = WithdrawalScene

    @Test(
        "a reminder that waits for a retry is withdrawn, and does not come back when the change is taken back",
        arguments: WithdrawalChange.all)
    func reminder(_ change: WithdrawalChange) async throws {
        let scene = Scene(.reminder, of: change.kind)
        try await scene.run {
            try await scene.waitsForRetry()
            try await change.make(scene)
            try await scene.pass(.seconds(10))
            try await scene.expectWithdrawn(change.reason)
            try await change.takeBack(scene)
            try await scene.pass(.seconds(10))
            try await scene.pass(.seconds(10_000))
            try await scene.expectWithdrawn(change.reason)
        }
    }

    @Test(
        "an attempt of a reminder that runs may end, and is not repeated",
        arguments: WithdrawalChange.all, [true, false])
    func running(_ change: WithdrawalChange, isDelivered: Bool) async throws {
        let scene = Scene(.reminder, of: change.kind)
        scene.recording.answer { _ in isDelivered ? .hold : .holdThenFail(.transient("busy")) }
        try await scene.run {
            try await change.make(scene)
            try await scene.pass()
            #expect(scene.recording.ended == 0, "it is not cancelled")
            scene.recording.answer { _ in .deliver }
            scene.recording.release()
            try await scene.harness.stored("over") { $0.first?.isOpen == false }
            try await change.takeBack(scene)
            try await scene.pass(.seconds(10))
            guard isDelivered else { return try await scene.expectWithdrawn(change.reason) }
            #expect(try await scene.record().state == .delivered)
            #expect(try await scene.attempts() == 1)
        }
    }

    @Test(
        "a waiting expiry, alert or notice of a miss is withdrawn when its definition is disabled or muted, else delivered",
        arguments: WithdrawalChange.all.flatMap { change in change.others.map { ($0, change) } })
    func others(_ waiting: WithdrawalScene.Waiting, _ change: WithdrawalChange) async throws {
        let scene = Scene(waiting, of: change.kind)
        try await scene.run {
            try await scene.waitsForRetry()
            try await change.make(scene)
            try await scene.pass(.seconds(10))
            guard change.coversAll else { return try await scene.expectDelivered() }
            try await scene.expectWithdrawn(change.reason)
            try await change.takeBack(scene)
            try await scene.pass(.seconds(10))
            try await scene.expectWithdrawn(change.reason)
        }
    }

    @Test("a pause withdraws nothing")
    func pause() async throws {
        let scene = Scene(.reminder, of: .timer)
        try await scene.run {
            try await scene.waitsForRetry()
            try await scene.control(.pause)
            try await scene.pass(.seconds(10))
            try await scene.expectDelivered()
        }
    }

    @Test("a test and a notice of a failed delivery are never withdrawn")
    func exempt() async throws {
        let harness = DaemonHarness()
        let recording = Recording { $0.attempt == 1 ? .fail(.transient("busy")) : .deliver }
        let bad = Recording { _ in .fail(.permanent("gone")) }
        try await harness.run { _ in
            var definition = Definition.timer("x", .seconds(60), to: ["bad"])
            definition.onFailure = [SinkKey("alarm")]
            let sinks = [recording.sink(), recording.sink("alarm"), bad.sink("bad")]
            harness.load([definition], sinks)
            try await harness.advance(to: 60)
            let test = Firing(
                definition: definition.id, occurrence: at(60), action: .test(of: .reminder, at: at(60)), due: at(60),
                payload: .test, sinks: [SinkKey("s")])
            _ = try await harness.client.fire(test, waits: false)
            try await recording.waitForEnds(2, upTo: Bounded.limit)
            _ = try await harness.client.perform(
                ControlRequest(id: definition.id, control: .mute(until: at(3_000)), by: "ada"))
            _ = try await harness.client.perform(GeneralControl(.mute(until: at(3_000)), by: "ada"))
            definition.isEnabled = false
            harness.load([definition], sinks)
            harness.load([], sinks)
            try await harness.sleeps(until: at(61))
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(3)
        }
        #expect(Set(recording.deliveries.map(\.action)) == [.failure, .reminder])
        #expect(harness.store.memory.deliveries.count { $0.isDelivered } == 2)
    }

    @Test("what comes due in the moment of the change is written and withdrawn in one transaction")
    func sameInstant() async throws {
        let scene = Scene(.reminder, of: .event)
        let harness = scene.harness
        let (isHeld, isOpen) = (Watched(false), Watched(true))
        harness.store.beforeCommit { _ in
            guard !isOpen.value else { return }
            isHeld.update { $0 = true }
            _ = await isOpen.wait(upTo: Bounded.limit) { $0 }
        }
        try await harness.run { _ in
            scene.load(scene.definition)
            try await harness.sleeps(until: at(600))
            // While a commit is on its way, the reminder comes due and the definition is disabled.
            isOpen.update { $0 = false }
            async let answer: Void = scene.control(.snooze(for: .seconds(60)))
            #expect(await isHeld.wait(upTo: Bounded.limit) { $0 })
            harness.clock.advance(by: .seconds(600))
            scene.edit { $0.isEnabled = false }
            isOpen.update { $0 = true }
            try await answer
            try await harness.settled(1)
        }
        #expect(scene.recording.deliveries.isEmpty)
        let record = try #require(try await harness.records().first)
        #expect(record.state == .skipped && record.reason == "the definition was disabled" && record.attempts == 0)
    }

    @Test(
        "a change that was made while the daemon did not run withdraws before anything is sent",
        arguments: WithdrawalChange.all.filter(\.isEdit), [WithdrawalScene.Waiting.reminder, .expiry])
    func whileStopped(_ change: WithdrawalChange, _ waiting: WithdrawalScene.Waiting) async throws {
        let former = Scene(waiting, of: change.kind)
        try await former.run { try await former.waitsForRetry() }
        let scene = Scene(waiting, of: change.kind, store: former.harness.store, now: 700, owner: "next")
        try await scene.harness.run { _ in
            // The retry is due by now, and the definitions are not known yet.
            _ = await scene.harness.client.page(from: 0, limit: 10)
            try await change.make(scene)
            try await scene.pass(.seconds(10))
        }
        #expect(former.recording.deliveries.count == 1)
        let record = try await scene.record()
        if waiting == .reminder || change.coversAll {
            #expect(record.state == .skipped && record.reason == change.reason)
            #expect(scene.recording.deliveries.isEmpty)
        } else {
            #expect(record.state == .delivered)
            #expect(scene.recording.deliveries.map(\.attempt) == [2])
        }
    }
}
