import Testing
import TminusCore

@Suite("Timers")
struct TimerTests {
    @Test("a timer expires once, at its deadline, and stays expired over reloads and restarts")
    func expiresOnce() {
        let tea = Definition.timer(.seconds(240))
        var scenario = Scenario(tea)
        #expect(scenario.state.nextDue == at(240))
        #expect(scenario.step(now: at(239.999_999)).isEmpty)
        #expect(scenario.step(now: at(240)).map(\.short) == ["t expiry 240"])
        #expect(scenario.step(now: at(1_000)).isEmpty)
        scenario.load([tea], now: at(1_001))
        scenario.restart(now: at(2_000))
        #expect(scenario.firings.count == 1)
        #expect(scenario.state.nextDue == nil)
    }

    @Test("texts, labels, actions and place change without moving the deadline by a nanosecond")
    func meaninglessEdits() {
        let tea = Definition.timer(.seconds(3_600))
        var scenario = Scenario(tea, now: at(0.123_456_789))
        let deadline = scenario.stored[tea.id]?.deadline
        let edited = tea.with {
            $0.name = "Green tea"
            $0.labels = ["a": "b"]
            $0.onExpiry = [SinkKey("other")]
            $0.origin = SourceLocation(file: "elsewhere.json", line: 9)
        }
        scenario.load([edited], now: at(60))
        #expect(scenario.state.schedule(of: tea.id)?.deadline == deadline)
        scenario.restart(now: at(61))
        #expect(scenario.state.schedule(of: tea.id)?.deadline == deadline)
        let fired = scenario.step(now: at(3_601))
        #expect(fired.map(\.sinks) == [[SinkKey("other")]])
        #expect(fired.map(\.payload.name) == ["Green tea"])
    }

    @Test("a changed duration keeps the elapsed part, unless that would end in the past")
    func changedDuration() {
        var scenario = Scenario(.timer(.seconds(600)))
        scenario.load([.timer(.seconds(900))], now: at(300))
        #expect(scenario.state.nextDue == at(900))
        scenario.load([.timer(.seconds(60))], now: at(400))
        #expect(scenario.state.nextDue == at(460))
        #expect(scenario.firings.isEmpty)
    }

    @Test("an edit of the schedule restarts an expired timer")
    func rerun() {
        var scenario = Scenario(.timer(.seconds(10)))
        scenario.step(now: at(10))
        scenario.load([.timer(.seconds(20))], now: at(100))
        #expect(scenario.step(now: at(120)).map(\.short) == ["t expiry 120"])
    }

    @Test("another lead time neither restarts the countdown nor fires the past")
    func newLead() {
        var scenario = Scenario(.timer(.seconds(600), remind: [.seconds(60)]))
        scenario.load([.timer(.seconds(600), remind: [.seconds(500), .seconds(30)])], now: at(300))
        for now in [570.0, 600] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t reminder 570", "t expiry 600"])
    }

    @Test("a timer that waits to be started sends nothing")
    func manual() {
        let scenario = Scenario(.timer(.seconds(1), start: .manual))
        #expect(scenario.state.nextDue == nil)
        #expect(scenario.stored.values.map(\.phase) == [.idle])
    }

    @Test("a fixed-rate timer keeps its grid however late the steps are")
    func fixedRate() {
        var scenario = Scenario(.timer(.seconds(60), .immediately, remind: [.seconds(10)]))
        for now in [50.3, 61.9, 110.0, 121.7, 172.5, 180.2] { scenario.step(now: at(now)) }
        #expect(
            scenario.firings.map(\.short) == [
                "t reminder 50", "t expiry 60", "t reminder 110", "t expiry 120", "t reminder 170", "t expiry 180",
            ])
        #expect(scenario.state.schedule(of: scenario.firings[0].definition)?.deadline == at(240))
    }

    @Test("a count ends a repeating timer")
    func count() {
        var scenario = Scenario(.timer(.seconds(1), .immediately, count: 3))
        for now in 1...10 { scenario.step(now: at(Double(now))) }
        #expect(scenario.firings.map(\.short) == ["t expiry 1", "t expiry 2", "t expiry 3"])
        #expect(scenario.state.nextDue == nil)
    }

    @Test("two weeks of downtime of a 5-second timer cost one record, and the grid goes on")
    func longDowntime() {
        var scenario = Scenario(.timer(.seconds(5), .immediately))
        let weeks = 14 * 86_400.0
        scenario.restart(now: at(weeks + 2))
        // The newest one is 2 s late, which is on time; the other 241,919 are counted.
        #expect(scenario.firings.map(\.short) == ["t expiry \(Int(weeks))"])
        #expect(scenario.omissions.map(\.count).reduce(0, +) == Int(weeks) / 5 - 1)
        #expect(scenario.omissions.allSatisfy { $0.reason == .notCaughtUp })
        #expect(scenario.state.nextDue == at(weeks + 5))
    }

    @Test("a repeating timer with a count can end in a downtime")
    func boundedDowntime() {
        var scenario = Scenario(.timer(.seconds(5), .immediately, count: 10))
        scenario.restart(now: at(86_400))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.count).reduce(0, +) == 10)
        #expect(scenario.state.nextDue == nil)
    }

    @Test("a timer that came due while nothing ran is sent at the start, also if its reminders were edited meanwhile")
    func leadsEditedWhileDown() {
        let former = Scenario(.timer(.seconds(600)))
        let edited = Definition.timer(.seconds(600), remind: [.seconds(60)])
        var state = ScheduleMachine(StoreSnapshot(schedules: Array(former.stored.values)))
        let effects = state.step(.definitions(DefinitionSet(definitions: [edited.id: edited])), now: at(1_000))
        #expect(effects.commit.firings.map(\.short) == ["t expiry 600 late"])
        #expect(state.nextDue == nil)
    }

    @Test("setting the clock moves timers of elapsed time, but no events")
    func clockStep() {
        var scenario = Scenario(.timer(.seconds(600)), .event(at: [at(700)]))
        scenario.step(.clockStepped(by: .seconds(-3_600)), now: at(100 - 3_600))
        #expect(scenario.state.nextDue == at(600 - 3_600))
        scenario.step(.clockStepped(by: .seconds(3_600)), now: at(100))
        #expect(scenario.state.nextDue == at(600))
        scenario.step(.clockStepped(by: .seconds(3_600)), now: at(3_700))
        #expect(scenario.firings.map(\.short) == ["e expiry 700 late"])
        #expect(scenario.state.nextDue == at(4_200))
    }

    @Test("a clock set back fires nothing twice")
    func clockBack() {
        var scenario = Scenario(.timer(.seconds(10), remind: [.seconds(5)]), .event(at: [at(8)]))
        scenario.step(now: at(9))
        scenario.step(.clockStepped(by: .seconds(-100)), now: at(9 - 100))
        scenario.step(now: at(10 - 100))
        for now in 0..<20 { scenario.step(now: at(Double(now))) }
        #expect(scenario.firings.count == 3)
    }
}
