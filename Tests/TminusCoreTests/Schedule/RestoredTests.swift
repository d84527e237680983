import Testing

@testable import TminusCore

@Suite("A store that was restored from a copy")
struct RestoredTests {
    /// Restores the store of a scenario at an instant, and starts a daemon on it at another.
    private func restored(_ definitions: Definition..., at instant: Timestamp, start: Timestamp) -> Scenario {
        var scenario = Scenario()
        scenario.load(definitions, now: at(0))
        for id in scenario.stored.keys { scenario.stored[id]?.overrides.restored = instant }
        scenario.restart(now: start)
        return scenario
    }

    @Test("what was due until the restore is recorded and not sent; what was due after it is caught up as ever")
    func event() {
        let event = Definition.event(at: [at(10), at(20), at(30), at(90)], remind: [.seconds(5)])
        let scenario = restored(event, at: at(20), start: at(40))
        #expect(scenario.firings.map(\.short) == ["e expiry 30 late"])
        let expiries = scenario.omissions.filter { $0.action == .expiry }
        #expect(expiries.map(\.reason) == [.restored] && expiries.map(\.count) == [2])
        #expect(scenario.omissions.first { $0.action != .expiry }?.reason == .restored)
        #expect(scenario.stored.values.map(\.overrides) == [Overrides()], "it is over")
        #expect(scenario.state.nextDue == at(85))
    }

    @Test("an expiry at the very instant of the restore may have been sent, so it is not")
    func edge() {
        let scenario = restored(.event(at: [at(20)]), at: at(20), start: at(21))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.restored])
    }

    @Test("a fixed-rate timer counts the cycles until the restore and goes on in its beat")
    func fixedRate() {
        let timer = Definition.timer(.seconds(10), .immediately, remind: [.seconds(2)])
        let scenario = restored(timer, at: at(100_005), start: at(100_006))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.allSatisfy { $0.reason == .restored })
        #expect(scenario.omissions.filter { $0.action == .expiry }.map(\.count).reduce(0, +) == 10_000)
        #expect(scenario.state.nextDue == at(100_008))
    }

    @Test("a timer that waits for its actions begins its next cycle, because nothing is sent")
    func afterAction() {
        let scenario = restored(.timer(.seconds(10), .afterAction), at: at(50), start: at(60))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.restored])
        #expect(scenario.state.nextDue == at(70))
    }

    @Test("a snoozed expiry that was due until the restore is not sent")
    func snoozed() throws {
        var scenario = Scenario(.timer(.seconds(10)))
        try scenario.control(.snooze(for: .seconds(30)), now: at(5))
        for id in scenario.stored.keys { scenario.stored[id]?.overrides.restored = at(60) }
        scenario.restart(now: at(70))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.contains { $0.reason == .restored })
    }
}
