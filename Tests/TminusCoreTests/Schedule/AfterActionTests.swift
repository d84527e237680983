import Testing
import TminusCore

@Suite("Timers that wait for their actions")
struct AfterActionTests {
    let refresh = Definition.timer(.seconds(60), .afterAction, id: "r")
    var expiry: EndedExpiry { EndedExpiry(definition: refresh.id, occurrence: at(60)) }

    @Test("the next cycle begins when the actions have ended")
    func waits() {
        var scenario = Scenario(refresh)
        scenario.step(now: at(60))
        #expect(scenario.state.schedule(of: refresh.id)?.phase == .acting)
        #expect(scenario.state.nextDue == nil)
        scenario.step(.ended([expiry]), now: at(75))
        #expect(scenario.state.nextDue == at(135))
        scenario.step(.ended([expiry]), now: at(80))
        #expect(scenario.state.nextDue == at(135), "an end that is told twice begins one cycle")
    }

    @Test("a restart while the action runs waits for it")
    func restartWhileActing() {
        var scenario = Scenario(refresh)
        scenario.step(now: at(60))
        scenario.restart(now: at(61), open: [expiry])
        #expect(scenario.state.nextDue == nil)
        scenario.step(.ended([expiry]), now: at(70))
        #expect(scenario.state.nextDue == at(130))
    }

    @Test("a crash between the end of the action and the next cycle does not stop the timer")
    func restartAfterTheEnd() {
        var scenario = Scenario(refresh)
        scenario.step(now: at(60))
        scenario.restart(now: at(65))
        #expect(scenario.state.nextDue == at(125))
    }

    @Test("the next cycle begins when the actions of a snoozed expiry have ended, over a restart")
    func snoozed() throws {
        var scenario = Scenario(refresh)
        try scenario.control(.snooze(for: .seconds(540)), "r", now: at(10))
        scenario.step(now: at(60))
        #expect(scenario.state.schedule(of: refresh.id)?.phase == .acting)
        scenario.restart(now: at(100))
        #expect(scenario.state.nextDue == at(600))
        #expect(scenario.step(now: at(600)).map(\.short) == ["r expiry 600"])
        #expect(scenario.state.schedule(of: refresh.id)?.phase == .acting)
        scenario.restart(now: at(601), open: [expiry])
        scenario.step(.ended([expiry]), now: at(610))
        #expect(scenario.state.nextDue == at(670))
    }

    @Test("the timer also waits for an expiry that is snoozed while its actions run")
    func snoozedWhileActing() throws {
        var scenario = Scenario(refresh)
        scenario.step(now: at(60))
        try scenario.control(.snooze(for: .seconds(30)), "r", now: at(65))
        scenario.step(.ended([expiry]), now: at(70))
        #expect(scenario.state.schedule(of: refresh.id)?.phase == .acting)
        #expect(scenario.step(now: at(95)).map(\.short) == ["r expiry 95"])
        scenario.step(.ended([expiry]), now: at(99))
        #expect(scenario.state.nextDue == at(159))
    }

    @Test("a suppressed snooze does not delay the next cycle")
    func snoozedInVain() throws {
        var muted = Scenario(refresh)
        try muted.control(.snooze(for: .seconds(30)), "r", now: at(10))
        try muted.control(.mute(until: at(200)), "r", now: at(20))
        muted.step(now: at(60))
        muted.step(now: at(90))
        #expect(muted.firings.isEmpty)
        #expect(muted.state.schedule(of: refresh.id)?.deadline == at(150))
        var silent = Scenario(.timer(.seconds(60), .afterAction, id: "r", sinks: []))
        try silent.control(.snooze(for: .seconds(30)), "r", now: at(10))
        silent.step(now: at(60))
        silent.step(now: at(90))
        #expect(silent.state.nextDue == at(150))
    }

    @Test("an expiry without actions waits for nothing")
    func noActions() {
        var scenario = Scenario(.timer(.seconds(60), .afterAction, id: "r", sinks: []))
        scenario.step(now: at(60.5))
        #expect(scenario.state.nextDue == at(120.5))
    }

    @Test("a timer that was removed while acting and returns still waits for the action")
    func removedWhileActing() {
        var scenario = Scenario(refresh)
        scenario.step(now: at(60))
        scenario.load([], now: at(61))
        scenario.load([refresh], now: at(62))
        #expect(scenario.state.schedule(of: refresh.id)?.phase == .acting)
        scenario.step(.ended([expiry]), now: at(63))
        #expect(scenario.state.nextDue == at(123))
    }

    @Test("a timer whose action ended while it was removed continues when it returns")
    func endedWhileRemoved() {
        var scenario = Scenario(refresh)
        scenario.step(now: at(60))
        scenario.load([], now: at(61))
        scenario.step(.ended([expiry]), now: at(62))
        scenario.load([refresh], now: at(63))
        #expect(scenario.state.nextDue == at(123))
    }

    @Test("the count ends the timer after the last action")
    func count() {
        var scenario = Scenario(.timer(.seconds(1), .afterAction, id: "r", count: 2))
        scenario.step(now: at(1))
        scenario.step(.ended([EndedExpiry(definition: refresh.id, occurrence: at(1))]), now: at(1))
        scenario.step(now: at(2))
        #expect(scenario.firings.count == 2)
        #expect(scenario.state.schedule(of: refresh.id)?.phase == .expired)
    }
}
