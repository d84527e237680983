import Testing

@testable import TminusCore

/// What became of each reminder of the shown occurrence, or will.
@Suite("Reminders and what became of them")
struct LeadStandingTests {
    private let day = Duration.seconds(86_400)

    private func leads(
        _ definition: Definition, _ change: (inout ScheduleState) -> Void = { _ in }, history: [HistoryEntry] = [],
        now: Timestamp
    ) -> [String] {
        var state = Scenario(definition, now: at(0)).stored[definition.id]!
        change(&state)
        let entry = ScheduleEntry(definition: definition, state: state)
        return LeadStanding.all(of: entry, Outlook(entry, now: now), history: history, now: now)
            .map { "\($0.action.words): \($0.status.rawValue)" + ($0.reason.map { ", \($0)" } ?? "") }
    }

    private func end(_ definition: Definition, _ reminder: Int, _ end: HistoryEntry.End) -> HistoryEntry {
        HistoryEntry(
            occurrence: at(10_000), action: definition.reminders[reminder].action.rawValue, due: at(0), end: end,
            count: 1)
    }

    @Test("recorded reminders have their ends; of those to come the first is the next")
    func ends() {
        let event = Definition.event(
            at: [at(10_000)], remind: [60, 6_000, 5_000, 4_000, 3_000, 2_000, 1_000].map { .seconds($0) })
        let history = [
            end(event, 1, .delivered(at(4_000))), end(event, 2, .failed(reason: "HTTP status 500")),
            end(event, 3, .missed(.tooLate)), end(event, 4, .open),
        ]
        #expect(
            leads(event, history: history, now: at(8_500)).map { $0.split(separator: ":").last ?? "" } == [
                " done", " failed, HTTP status 500", " missed, it was too late to be useful", " open", " past", " next",
                " later",
            ])
    }

    @Test("a mute or a skip says why a reminder to come is not sent, and the next one is after it")
    func muted() {
        let event = Definition.event(at: [at(10_000)], remind: [.seconds(3_600), .seconds(60)])
        let origin = Overrides.Origin(by: "ada", at: at(0))
        let muted = leads(
            event, { $0.overrides.mute = Overrides.Mute(until: at(7_000), origin: origin) }, now: at(10))
        #expect(muted == ["1 hour before: muted, it was muted", "1 minute before: next"])
        let skipped = leads(
            event, { $0.overrides.skip = Overrides.Skip(occurrence: at(10_000), origin: origin) }, now: at(10))
        #expect(skipped.allSatisfy { $0.hasSuffix("muted, it was skipped") })
        #expect(leads(event.with { $0.isEnabled = false }, now: at(10)).allSatisfy { $0.contains("disabled") })
    }

    @Test("the record of an occurrence that was edited away and is back does not count")
    func back() {
        let event = Definition.event(at: [at(10_000)], remind: [.seconds(60)])
        let history = [end(event, 0, .skipped(reason: "its occurrence was edited away"))]
        #expect(leads(event, history: history, now: at(10)) == ["1 minute before: next"])
    }

    @Test("a timer that waits or is paused has reminders without instants; a stopwatch has its alerts")
    func others() {
        let waiting = Definition.timer(.seconds(600), start: .manual, remind: [.seconds(60)])
        #expect(leads(waiting, now: at(10)) == ["1 minute before: later"])
        let running = Definition.timer(.seconds(600), remind: [.seconds(60)])
        #expect(leads(running, now: at(10)) == ["1 minute before: next"])
        let paused = leads(
            running,
            {
                $0.phase = .paused
                $0.heldSince = at(5)
            }, now: at(10))
        #expect(paused == ["1 minute before: later"])
        let stopwatch = Definition.stopwatch(start: .auto, alerts: [.seconds(60), .seconds(120)])
        #expect(leads(stopwatch, now: at(90)) == ["at 1 minute: past", "at 2 minutes: next"])
    }
}
