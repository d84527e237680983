import Testing

@testable import TminusCore

/// What an attempt says of the instant at which it begins. All instants are seconds after the occurrence.
@Suite("Payloads of attempts")
struct PayloadRefreshTests {
    private static let day = 86_400.0

    struct Row: Sendable, CustomTestStringConvertible {
        var action: FiringAction
        var isCatchUp = false
        var due = 0.0
        var fired: Double
        var message: String
        /// Later attempts.
        var attempts: [(at: Double, remaining: String, message: String)]

        var testDescription: String { "\(action.words)\(isCatchUp ? ", caught up" : "")" }
    }

    private static let lead = CalendarSpan(days: 1)
    private static let tenMinutes = CalendarSpan(nanoseconds: 600_000_000_000)

    static let rows = [
        Row(
            action: .expiry, fired: 0.25, message: "Tea is due",
            attempts: [(0.3, "0 s", "Tea is due"), (10_800, "3 hours ago", "Tea is due")]),
        Row(
            action: .expiry, isCatchUp: true, fired: 600, message: "Tea is due, 10 min ago",
            attempts: [
                (601, "10 min ago", "Tea is due, 10 min ago"), (10_800, "3 hours ago", "Tea is due, 3 hours ago"),
            ]),
        Row(
            action: .reminder(lead, .before), due: -day, fired: 0.001 - day, message: "Upcoming event: Tea in 1 day",
            attempts: [
                (1 - day, "24 hours", "Upcoming event: Tea in 1 day"),
                (-21_600, "6 hours", "Upcoming event: Tea in 6 hours"),
                (600, "10 min ago", "Tea was due 10 min ago"),
            ]),
        Row(
            action: .reminder(lead, .before), isCatchUp: true, due: -day, fired: -7_200,
            message: "Upcoming event: Tea in 2 hours",
            attempts: [(-600, "10 min", "Upcoming event: Tea in 10 min")]),
        Row(
            action: .reminder(tenMinutes, .after), due: 600, fired: 600.001, message: "Tea was due 10 minutes ago",
            attempts: [
                (600.5, "10 min ago", "Tea was due 10 minutes ago"), (1_800, "30 min ago", "Tea was due 30 min ago"),
            ]),
        Row(
            action: .snoozed(until: at(540)), due: 540, fired: 540.001, message: "Tea was due 9 min ago",
            attempts: [(1_800, "30 min ago", "Tea was due 30 min ago")]),
        Row(
            action: .elapsed(.seconds(600)), fired: 0, message: "Tea has run for 10 minutes",
            attempts: [(1_800, "30 min ago", "Tea has run for 10 minutes")]),
        Row(
            action: .elapsed(.seconds(600)), isCatchUp: true, fired: 120,
            message: "Tea has run for 10 minutes, 2 min ago",
            attempts: [(1_800, "30 min ago", "Tea has run for 10 minutes, 30 min ago")]),
        Row(
            action: .missed(.tooLate), fired: 3_600, message: "Tea was missed: it was too late to be useful",
            attempts: [(7_200, "2 hours ago", "Tea was missed: it was too late to be useful")]),
    ]

    @Test("late, remaining and the message follow the attempt, all else the firing", arguments: rows)
    func refresh(row: Row) {
        let event = Definition.event(at: [at(0)]).with { $0.name = "Tea" }
        let action = DueAction(occurrence: at(0), action: row.action, due: at(row.due), sinks: [])
        let payload = PayloadComposer(definition: event, now: at(row.fired))
            .payload(action, isCatchUp: row.isCatchUp)
        #expect(payload.message == row.message)
        #expect(refreshed(payload, row.fired) == payload, "the instant of the firing")
        for attempt in row.attempts {
            var expected = payload
            expected.late = at(row.due).duration(to: at(attempt.at)).nanoseconds
            expected.remaining = .init(
                nanoseconds: at(attempt.at).duration(to: at(0)).nanoseconds, text: attempt.remaining)
            expected.message = attempt.message
            #expect(refreshed(payload, attempt.at) == expected)
        }
    }

    @Test("a test keeps its mark")
    func test() throws {
        let event = Definition.event(at: [at(9_000)], remind: [.seconds(7_200)]).with { $0.name = "Tea" }
        let payload = try Firing.test(of: event, reminder: "2h", sink: nil, now: at(0)).payload
        #expect(payload.message == "Test: Upcoming event: Tea in 2 hours")
        #expect(refreshed(payload, 5_400).message == "Test: Upcoming event: Tea in 30 min")
        #expect(refreshed(payload, 7_800).message == "Test: Tea was due 10 min ago")
        #expect(refreshed(payload, 7_800).isTest == true)
    }

    @Test("a failure has the remaining time of its own firing, is not late, and keeps its message")
    func failure() throws {
        var scenario = Scenario(Definition.event(at: [at(7_200)], remind: [.seconds(3_600)]))
        let reminder = try #require(scenario.step(now: at(3_600)).first)
        var delivery = Delivery(reminder, to: reminder.targets[0])
        delivery.claim.onFailure = [SinkKey("alarm")]
        delivery.payload.refresh(at: at(5_000))
        let failure = try #require(Firing.failure(of: delivery, to: "hook", reason: "no", attempts: 2, now: at(5_400)))
            .payload
        #expect(failure.remaining == .init(nanoseconds: 1_800_000_000_000, text: "30 min"))
        #expect([failure.scheduled, failure.fired] == [at(5_400), at(5_400)] && failure.late == 0)
        let later = refreshed(failure, 9_000)
        #expect(later.remaining.text == "30 min ago" && later.late == 3_600_000_000_000)
        #expect(later.message == failure.message)
        #expect(later.message.hasSuffix("did not reach hook: no"))
    }

    private func refreshed(_ payload: Payload, _ seconds: Double) -> Payload {
        var payload = payload
        payload.refresh(at: at(seconds))
        return payload
    }
}
