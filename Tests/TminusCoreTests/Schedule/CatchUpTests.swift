import Testing

@testable import TminusCore

@Suite("What was missed")
struct CatchUpTests {
    static let weeks = 14 * 86_400.0

    @Test("two weeks of downtime of a 5-second timer that catches up on all: the newest, in order, the rest counted")
    func all() {
        let timer = Definition.timer(.seconds(5), .immediately, remind: [.seconds(2)]).with { $0.catchUp = .all }
        var scenario = Scenario(timer, .event(at: [at(Self.weeks)]))
        scenario.restart(now: at(Self.weeks + 1))
        let expiries = scenario.firings.filter { $0.definition == timer.id && $0.action == .expiry }
        let missed = expiries.filter(\.payload.isCatchUp)
        #expect(missed.count == CatchUp.limit)
        #expect(missed.map(\.due) == missed.map(\.due).sorted())
        #expect(missed.last?.due == at(Self.weeks - 5))
        #expect(expiries.count == missed.count + 1, "the one that is 1 s late is on time")
        let counted = scenario.omissions.filter { $0.action == .expiry }
        #expect(counted.map(\.count).reduce(0, +) + expiries.count == Int(Self.weeks) / 5)
        #expect(Set(counted.map(\.reason)) == [.tooLate, .overLimit])
        let reminders = scenario.omissions.filter { $0.action != .expiry }.map(\.count).reduce(0, +)
        let sent = scenario.firings.count { $0.definition == timer.id && $0.action != .expiry }
        #expect(reminders + sent == Int(Self.weeks) / 5, "every reminder has an end as well")
        #expect(scenario.state.nextDue == at(Self.weeks + 3))
    }

    @Test("missed firings are sent at a bounded rate, those on time at once")
    func spread() {
        let timer = Definition.timer(.seconds(5), .immediately).with { $0.catchUp = .all }
        var scenario = Scenario(timer, .event(at: [at(3_600)]))
        let now = at(3_601)
        scenario.restart(now: now)
        let onTime = scenario.firings.filter { !$0.payload.isCatchUp }
        #expect(onTime.count == 2)
        #expect(onTime.allSatisfy { $0.notBefore == nil })
        let missed = scenario.firings.filter(\.payload.isCatchUp).sorted { $0.due < $1.due }
        #expect(missed.count == 719)
        #expect(missed.first?.notBefore == now)
        #expect(missed.last?.notBefore == now.advanced(by: CatchUp.spacing * 718))
        // Later slots continue after those.
        scenario.load(Array(scenario.definitions.values) + [.event(id: "x", at: [at(3_610)])], now: at(3_602))
        #expect(
            scenario.step(now: at(3_616)).filter { $0.definition.rawValue == "x" }.map(\.payload.isCatchUp) == [true])
    }

    @Test("`latest` sends the newest missed expiry of an event of many occurrences, and counts the others")
    func latest() {
        var scenario = Scenario(.event(at: (1...5_000).map { at(Double($0)) } + [at(90_000)]))
        scenario.restart(now: at(80_000))
        #expect(scenario.firings.map(\.short) == ["e expiry 5000 late"])
        #expect(scenario.omissions.map(\.count) == [4_999])
        #expect(scenario.omissions.map(\.due) == [at(4_999)])
    }

    @Test("of missed reminders only the newest is sent, also where all missed expiries are")
    func newestReminder() {
        let event = Definition.event(at: [at(10_000), at(10_100)], remind: [.seconds(3_600), .seconds(1_800)])
        var scenario = Scenario(event.with { $0.catchUp = .all })
        scenario.restart(now: at(9_000))
        #expect(scenario.firings.map(\.short) == ["e reminder 8300 late"])
        #expect(scenario.omissions.map(\.count).reduce(0, +) == 3)
        #expect(Set(scenario.omissions.map(\.reason)) == [.superseded])
    }

    @Test("`none` sends no missed firing and counts them")
    func none() {
        var scenario = Scenario(Definition.event(at: [at(1), at(2), at(90)]).with { $0.catchUp = .none })
        scenario.restart(now: at(60))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.notCaughtUp])
        #expect(scenario.omissions.map(\.count) == [2])
    }

    @Test("a firing later than its grace is recorded as missed, even if it counts as on time")
    func grace() {
        let event = Definition.event(at: [at(100)]).with { $0.grace = .seconds(60) }
        var scenario = Scenario(event)
        scenario.restart(now: at(161))
        #expect(scenario.omissions.map(\.reason) == [.tooLate])
        var strict = Scenario(event.with { $0.grace = .seconds(1) })
        strict.step(now: at(103))
        #expect(strict.firings.isEmpty)
        #expect(strict.omissions.map(\.reason) == [.tooLate])
    }

    @Test("a timer by the wall clock ends when the clock shows its end, others when their time has passed")
    func clocks() {
        func timer(_ id: String, _ clock: TminusCore.Timer.Clock) -> Definition {
            Definition.timer(.seconds(600), id: id).with {
                $0.schedule = .timer(Timer(duration: .seconds(600), clock: clock))
            }
        }
        let timers = [timer("elapsed", .elapsed), timer("awake", .awake), timer("wall", .wall)]
        var stepped = Scenario()
        stepped.load(timers, now: at(0))
        stepped.step(.clockStepped(by: .seconds(3_600)), now: at(3_700))
        #expect(stepped.firings.map(\.definition.rawValue) == ["wall"])
        #expect(stepped.state.nextDue == at(4_200))

        var slept = Scenario()
        slept.load(timers, now: at(0))
        slept.step(.slept(for: .seconds(3_600)), now: at(3_700))
        #expect(slept.firings.map(\.definition.rawValue) == ["elapsed", "wall"])
        #expect(slept.state.nextDue == at(4_200))
    }

    @Test("reminders of all occurrences to come whose lead is past are recorded when the event is first seen")
    func pastLeads() {
        let scenario = Scenario(.event(at: (1...10).map { at(Double($0) * 100) }, remind: [.seconds(450)]))
        #expect(scenario.omissions.map(\.count) == [4])
        #expect(scenario.omissions.map(\.occurrence) == [at(400)])
    }
}
