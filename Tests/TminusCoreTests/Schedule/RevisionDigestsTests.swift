import Testing
import TminusTestKit

@testable import TminusCore

struct RevisionDigestsTests {
    @Test func `a digest that is kept is that of the state`() throws {
        let hour = Reminder(CalendarSpan(nanoseconds: 3_600_000_000_000), actions: [])
        let day = Reminder(CalendarSpan(nanoseconds: 86_400_000_000_000), side: .after, actions: [])
        var definitions = [[hour], [hour], [], [hour, day], [day], [hour]].map { reminders in
            var definition = Definition.timer(.seconds(60))
            definition.reminders = reminders
            return definition
        }
        var stopwatch = Definition.timer(.seconds(60))
        stopwatch.schedule = .stopwatch(Stopwatch(alerts: [.seconds(5)]))
        stopwatch.reminders = [hour]
        definitions.insert(stopwatch, at: 2)
        definitions.append(.timer(.seconds(90)))
        var digests = RevisionDigests()
        for definition in definitions {
            let state = ScheduleRevision(definition).fresh(at: Timestamp(seconds: 0))
            var stored = state
            stored.fingerprint = "other"
            stored.leads = "stored"
            #expect(digests.leads(of: state) == state.leads)
            #expect(digests.leads(of: stored) == "stored")
            #expect(digests.fingerprint(of: state) == state.fingerprint)
            #expect(digests.fingerprint(of: stored) == "other")
        }
    }
}
