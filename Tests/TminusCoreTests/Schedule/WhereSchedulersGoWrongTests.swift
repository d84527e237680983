import Testing
import TminusTestKit

@testable import TminusCore

/// Problems that users of other schedulers had: the themes that no other suite covers. The article on time lists all of
/// them with their tests.
@Suite("Where schedulers go wrong: the engine")
struct WhereSchedulersGoWrongTests {
    private func daily(_ expression: String, jitter: Duration = .zero) throws -> Definition {
        let cron = try CronTrigger(try CronExpression.parse(expression).get(), in: .utc)
        return Definition.event(id: "daily", at: []).with {
            $0.schedule = .event(Event(trigger: .cron(cron), jitter: jitter))
        }
    }

    /// The start of a day, one hour before midnight in UTC.
    private let evening = Timestamp(seconds: 1_780_095_600)
    private func hours(_ count: Double) -> Timestamp { evening.advanced(by: .seconds(count * 3_600)) }

    @Test(
        "a daily time that is changed before it comes, or after it passed, fires once a day and never for the edit",
        arguments: [
            // The edit at 5:00 UTC lies between both: to a time still to come, and to one that has passed.
            ("0 2 * * *", "0 9 * * *", [3.0, 10, 34]), ("0 9 * * *", "0 2 * * *", [27.0]),
            // Before both, and after both.
            ("0 7 * * *", "0 9 * * *", [10.0, 34]), ("0 2 * * *", "0 4 * * *", [3.0, 29]),
        ])
    func changedTime(before: String, after: String, fired: [Double]) throws {
        var scenario = Scenario(try daily(before), now: evening)
        for minute in stride(from: 0.0, through: 48 * 60, by: 5) {
            if minute == 6 * 60 { scenario.load([try daily(after)], now: hours(6)) }
            scenario.step(now: hours(minute / 60))
        }
        #expect(scenario.firings.prefix(fired.count).map(\.due) == fired.map(hours))
        #expect(scenario.firings.allSatisfy { !$0.payload.isCatchUp })
        // Once a day; on the day of the edit at most once at each of the two times.
        let days = Dictionary(grouping: scenario.firings) { Zone.utc.local($0.due).dayNumber }
        #expect(days.values.allSatisfy { $0.count <= (fired.count == 3 ? 2 : 1) })
    }

    @Test(
        "jitter fires no occurrence twice and loses none, whenever it is looked at and started again", arguments: 1...20
    )
    func jitter(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var scenario = Scenario(try daily("*/10 * * * *", jitter: .seconds(3_600)), now: evening)
        var now = evening
        while now < hours(24) {
            now = now.advanced(by: .seconds(random.below(5) + 1))
            if random.below(64) == 0 { scenario.restart(now: now) } else { scenario.step(now: now) }
        }
        let occurrences = scenario.firings.map(\.occurrence)
        #expect(Set(occurrences).count == occurrences.count)
        #expect(occurrences.count >= 142 && occurrences == occurrences.sorted())
        #expect(scenario.omissions.isEmpty)
    }

    @Test(
        "whatever the step of the clock, an event fires once and a countdown takes its time",
        arguments: [60, 7_200, 86_400])
    func steps(size: Int) {
        for step in [Duration.seconds(size), .seconds(-size)] {
            var scenario = Scenario(.timer(.seconds(3_600)), .event(at: [at(1_800), at(200_000)]))
            scenario.step(now: at(600))
            let stepped = at(600).advanced(by: step)
            scenario.step(.clockStepped(by: step), now: stepped)
            for second in stride(from: 0.0, through: 3_000, by: 60) {
                scenario.step(now: stepped.advanced(by: .seconds(second)))
            }
            let timer = scenario.firings.filter { $0.definition.rawValue == "t" }
            #expect(
                timer.map(\.due) == [at(3_600).advanced(by: step)], "3,600 s after its start, however the clock was set"
            )
            // With the clock set far back, the event is still upcoming.
            if step < .seconds(-3_600) { scenario.step(now: at(1_800)) }
            scenario.step(now: at(150_000))
            let event = scenario.firings.filter { $0.definition.rawValue == "e" }
            #expect(event.map(\.due) == [at(1_800)])
            #expect(event.first?.payload.isCatchUp == (step > .seconds(1_205)))
        }
    }
}
