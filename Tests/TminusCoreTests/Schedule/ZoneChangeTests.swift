import Testing

@testable import TminusCore

/// The same definition while the rules of its zone change.
@Suite("Zones that change")
struct ZoneChangeTests {
    /// A daily event at 9:00 in a zone with that rule; at(0) is 20:26:40 UTC on the day before the first occurrence.
    private func daily(_ rule: String) throws -> Definition {
        let zone = try Zone(name: "Test/Place", posix: rule)
        let expression = try CronExpression.parse("0 9 * * *").get()
        let trigger = try CronTrigger(expression, in: zone)
        return Definition.event(id: "nine", at: []).with {
            $0.schedule = .event(Event(trigger: .cron(trigger)))
            $0.zone = zone
        }
    }

    private let nine = Timestamp(seconds: 1_780_045_200)
    private let hour = Duration.seconds(3_600)

    @Test("an instant that moves ahead of now is armed anew and reported")
    func moves() throws {
        var scenario = Scenario(try daily("UTC0"))
        #expect(scenario.state.nextDue == nine)
        scenario.load([try daily("CET-1")], now: at(60))
        let earlier = nine.advanced(by: .zero - hour)
        #expect(scenario.state.nextDue == earlier)
        #expect(scenario.reports.last == .rescheduled(DefinitionID("nine")!, next: earlier))
        #expect(scenario.firings.isEmpty && scenario.omissions.isEmpty)
        #expect(scenario.step(now: earlier).map(\.due) == [earlier])
        // Later rules move it further, and a firing is not repeated for its former instant.
        scenario.load([try daily("UTC0")], now: nine.advanced(by: .seconds(60)))
        #expect(scenario.state.nextDue == nine.advanced(by: hour * 24))
        #expect(scenario.firings.count == 1)
    }

    @Test("an instant that moves into the past is recorded and never fired")
    func intoThePast() throws {
        var scenario = Scenario(try daily("UTC0"))
        let now = nine.advanced(by: .seconds(-1_800))
        scenario.load([try daily("CET-1")], now: now)
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.pastWhenDefined])
        #expect(scenario.omissions.map(\.due) == [nine.advanced(by: .zero - hour)])
        #expect(scenario.state.nextDue == nine.advanced(by: hour * 23))
        scenario.restart(now: now.advanced(by: .seconds(1)))
        #expect(scenario.firings.isEmpty && scenario.omissions.count == 1, "also after a restart")
    }

    @Test("a skip moves with its instant")
    func skipped() throws {
        var scenario = Scenario(try daily("UTC0"))
        try scenario.control(.skip, "nine", now: at(10))
        scenario.load([try daily("CET-1")], now: at(60))
        #expect(scenario.step(now: nine.advanced(by: .zero - hour)).isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.skipped])
    }

    @Test("rules that move no upcoming instant are not reported")
    func elsewhere() throws {
        var scenario = Scenario(try daily("UTC0"))
        let reports = scenario.reports
        scenario.load([try daily("UTC0XXX-1,M11.1.0,M12.1.0")], now: at(60))
        #expect(scenario.state.nextDue == nine)
        #expect(scenario.reports == reports)
    }

    @Test("a countdown keeps its state to the nanosecond; its calendar leads follow the zone")
    func timer() throws {
        func timer(_ rule: String) throws -> Definition {
            let zone = try Zone(name: "Test/Place", posix: rule)
            return Definition.timer(.seconds(200_000)).with {
                $0.zone = zone
                $0.reminders = [Reminder(CalendarSpan(days: 1), actions: [Definition.sink])]
            }
        }
        var scenario = Scenario(try timer("UTC0"))
        let before = scenario.state.schedule(of: DefinitionID("t")!)
        let lead = scenario.state.nextDue
        // Its end is on 31 May, 4:00 UTC; the clock is set ahead by an hour within the day before.
        scenario.load([try timer("UTC0XXX-1,J150/18,J300")], now: at(0))
        let after = scenario.state.schedule(of: DefinitionID("t")!)
        #expect(after?.deadline == before?.deadline && after?.start == before?.start && after?.phase == .armed)
        #expect(scenario.state.nextDue == lead?.advanced(by: hour))
        #expect(scenario.firings.isEmpty)
    }

    @Test("catch-up after a downtime uses the rules that changed in it")
    func downtime() throws {
        var scenario = Scenario(try daily("UTC0"))
        scenario.restart(now: nine.advanced(by: .seconds(1_800)), with: [try daily("CET-1")])
        #expect(scenario.firings.map(\.due) == [nine.advanced(by: .zero - hour)])
        #expect(scenario.firings.map(\.payload.isCatchUp) == [true])
    }
}
