import Testing
import TminusTestKit

@testable import TminusCore

/// A clock that was ahead and is set back. Up to three hours nothing fires twice; beyond that the time before was wrong.
@Suite("A clock that was ahead")
struct ClockCorrectionTests {
    private let hour = 3_600.0

    /// An event of each of ten hours, after the clock was ahead by `hours` for a moment.
    private func ahead(by hours: Double) -> Scenario {
        var scenario = Scenario(.event(at: (1...10).map { at(Double($0) * hour) }))
        scenario.step(.clockStepped(by: .seconds(hours * hour)), now: at(hours * hour + 1))
        return scenario
    }

    /// The hours that have fired since then.
    private func fired(_ scenario: Scenario, since former: Scenario) -> [Double] {
        scenario.firings.dropFirst(former.firings.count).map { at(0).duration(to: $0.due) / .seconds(1) / hour }
    }

    @Test(
        "an event goes on at once after a correction, and is silent after a smaller step, running or restarted",
        arguments: [(2, [3, 4]), (3, [4]), (4, [1, 2, 3, 4]), (500_000, [1, 2, 3, 4])] as [(Double, [Double])])
    func event(hours: Double, expected: [Double]) {
        for restarts in [false, true] {
            let former = ahead(by: hours)
            var scenario = former
            if restarts {
                scenario.restart(now: at(2))
            } else {
                scenario.step(.clockStepped(by: .seconds(-hours * hour)), now: at(2))
            }
            for minute in 0...250 { scenario.step(now: at(Double(minute) * 60 + 3)) }
            #expect(fired(scenario, since: former) == expected, "\(hours) hours ahead, restarted: \(restarts)")
            let corrections = scenario.reports.filter { $0 == .corrected(count: 1) }
            #expect(corrections.count == (hours > 3 ? 1 : 0))
        }
    }

    @Test("two steps back that are a correction only together count as one")
    func twoSteps() {
        let former = ahead(by: 4)
        var scenario = former
        scenario.step(.clockStepped(by: .seconds(-2 * hour)), now: at(2 * hour))
        scenario.step(.clockStepped(by: .seconds(-2 * hour)), now: at(2))
        scenario.step(now: at(hour + 1))
        #expect(fired(scenario, since: former) == [1])
    }

    @Test("an edit of the rule counts from now, however little the clock was ahead")
    func edit() {
        let former = ahead(by: 2)
        var scenario = former
        scenario.step(.clockStepped(by: .seconds(-2 * hour)), now: at(2))
        scenario.load([.event(at: [at(0.5 * hour)])], now: at(3))
        scenario.step(now: at(1_801))
        #expect(fired(scenario, since: former) == [0.5])
    }

    @Test("an event whose last instant passed in a wrong time is upcoming again")
    func upcomingAgain() {
        var scenario = Scenario(.event(at: [at(20 * hour)]))
        scenario.step(.clockStepped(by: .seconds(900 * hour)), now: at(900 * hour))
        #expect(scenario.stored[DefinitionID("e")!]?.phase == .expired)
        scenario.step(.clockStepped(by: .seconds(-900 * hour)), now: at(10))
        #expect(scenario.stored[DefinitionID("e")!]?.phase == .armed)
    }

    @Test("a countdown that began in a wrong time while the daemon was down begins now", arguments: [false, true])
    func countdown(wall: Bool) {
        let timer = Timer(duration: .seconds(600), repetition: .immediately, clock: wall ? .wall : .elapsed)
        var scenario = Scenario(
            Definition.timer(.seconds(600)).with { $0.schedule = .timer(timer) }, now: at(1_000 * hour))
        scenario.restart(now: at(0))
        #expect(scenario.stored[DefinitionID("t")!]?.deadline == at(600))
        #expect(scenario.reports.contains(.corrected(count: 1)))
        #expect(scenario.step(now: at(600)).map(\.due) == [at(600)])
    }

    @Test("a start with a clock that may be behind changes nothing, and the right time finds everything as it was")
    func behindAtStart() {
        var scenario = Scenario(.event(at: [at(hour), at(2 * hour)]))
        scenario.step(now: at(hour))
        let former = scenario.stored
        scenario.restart(now: at(-50_000 * hour), trustsClock: false)
        #expect(scenario.stored == former)
        scenario.step(.clockStepped(by: .seconds(50_001.5 * hour)), now: at(1.5 * hour))
        scenario.step(now: at(2 * hour))
        #expect(scenario.firings.map(\.short) == ["e expiry 3600", "e expiry 7200"])
        #expect(scenario.omissions.isEmpty)
    }

    @Test("a reminder after an expiry is not due again")
    func expiredTimer() {
        let timer = Definition.timer(.seconds(60)).with {
            $0.reminders = [
                Reminder(CalendarSpan(nanoseconds: 60_000_000_000), side: .after, actions: [Definition.sink])
            ]
        }
        var scenario = Scenario(timer, now: at(1_000 * hour))
        scenario.step(now: at(1_000 * hour + 60))
        scenario.step(now: at(1_000 * hour + 120))
        let sent = scenario.firings.count
        scenario.restart(now: at(0))
        for second in stride(from: 0.0, through: 600, by: 30) { scenario.step(now: at(second)) }
        #expect(sent == 2 && scenario.firings.count == sent)
    }

    @Test("a stopwatch that began in a wrong time counts from now")
    func stopwatch() throws {
        var scenario = Scenario(.stopwatch(start: .auto), now: at(1_000 * hour))
        scenario.restart(now: at(0))
        #expect(try scenario.control(.lap, now: at(30)).laps == [.seconds(30)])
    }

    @Test("a pass over what was due until an instant that is in the future now is given up")
    func unfinishedPass() throws {
        let rule = try EveryTrigger(
            CalendarSpan(nanoseconds: 1_000_000_000), in: .utc, bounds: TriggerBounds(start: .instant(at(0))))
        // With jitter the occurrences are visited one by one.
        var scenario = Scenario(
            .event(at: []).with { $0.schedule = .event(Event(trigger: .every(rule), jitter: .nanoseconds(1))) })
        let far = at(100 * 24 * hour)
        _ = scenario.state.step(.clockStepped(by: at(0).duration(to: far)), now: far)
        _ = scenario.state.step(.due, now: far)
        scenario.step(.clockStepped(by: far.duration(to: at(10))), now: at(10))
        #expect(scenario.step(now: at(12)).map(\.due).last == at(12))
    }
}
