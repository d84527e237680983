import Testing
import TminusCore
import TminusTestKit

@testable import TminusControl

/// An instant `seconds` after a fixed moment in 2026.
func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_780_000_000_000_000_000 + Int64(seconds * 1e9))
}

@Suite struct ItemOfEntryTests {
    private func item(
        _ schedule: Definition.Schedule, _ phase: ScheduleState.Phase, start: Double? = nil, deadline: Double? = nil,
        held: Double? = nil, laps: [Duration] = [], remind: [Reminder] = [], enabled: Bool = true,
        overrides: Overrides = Overrides(), now: Double
    ) -> Item {
        let definition = Definition(
            id: DefinitionID("a")!, schedule: schedule, name: "A", isEnabled: enabled, reminders: remind, onExpiry: [],
            zone: .utc, origin: SourceLocation(file: "a.yaml", line: 3))
        let state = ScheduleState(
            id: definition.id, kind: definition.kind, fingerprint: 0, leads: 0, phase: phase, cursor: at(0),
            start: start.map { at($0) }, deadline: deadline.map { at($0) }, heldSince: held.map { at($0) }, laps: laps,
            overrides: overrides)
        return Item(ScheduleEntry(definition: definition, state: state), now: at(now))
    }

    private let timer = Definition.Schedule.timer(Timer(duration: .seconds(60)))
    private let lead = Reminder(CalendarSpan(nanoseconds: 20_000_000_000), actions: [])

    @Test func overridesOfOtherOccurrencesAreHidden() {
        let origin = Overrides.Origin(by: "ada", at: at(0))
        func overrides(_ occurrence: Double) -> Overrides {
            let said = Overrides(
                skip: .init(occurrence: at(occurrence), origin: origin),
                snooze: .init(occurrence: at(occurrence), until: at(90), origin: origin))
            return item(.event(Event(trigger: .at([at(60)]))), .armed, overrides: said, now: 10).overrides
        }
        #expect(overrides(60).skip != nil && overrides(60).snooze != nil)
        #expect(overrides(50) == Overrides())
        #expect(overrides(5).skip == nil && overrides(5).snooze != nil, "a past expiry is sent once more")
    }

    @Test func runningTimer() {
        let item = item(timer, .armed, start: 0, deadline: 60, remind: [lead], now: 15)
        #expect(item.state == .running)
        #expect(item.due == at(60))
        #expect(item.remaining == .seconds(45))
        #expect(item.elapsed == .seconds(15))
        #expect(item.fraction == 0.75)
        #expect(item.nextReminder == Item.NextReminder(due: at(40), lead: "20 seconds before", length: .seconds(20)))
        #expect(item.file == "a.yaml")
        #expect(item.line == 3)
    }

    @Test("an instant read just before a countdown began is its beginning: no clock was set back")
    func justBefore() {
        let timer = Definition.Schedule.timer(Timer(duration: .seconds(3_600)))
        let item = item(timer, .armed, start: 0, deadline: 3_600, now: -0.000_034)
        #expect(item.clockBehind == nil && item.elapsed == .zero && item.remaining == .seconds(3_600))
    }

    @Test func elapsedTimeIsNeverNegativeAfterTheClockWasSetBack() throws {
        let wall = Definition.Schedule.timer(Timer(duration: .seconds(7_200), clock: .wall))
        let stopwatch = Definition.Schedule.stopwatch(Stopwatch())
        let cases: [(Definition.Schedule, Double?)] = [(wall, 7_200), (stopwatch, nil)]
        for (schedule, deadline) in cases {
            let item = item(schedule, .armed, start: 0, deadline: deadline, now: -3_597)
            #expect(item.elapsed == .zero)
            #expect(item.clockBehind == .seconds(3_597))
            #expect(item.remaining == deadline.map { Duration.seconds($0 + 3_597) })
            let json = String(decoding: item.json, as: UTF8.self)
            #expect(json.contains(#""elapsed":{"seconds":0,"text":"0 s"},"clock-behind":{"seconds":3597,"#), "\(json)")
            #expect(try Item(json: item.json) == item)
            let later = self.item(schedule, .armed, start: 0, deadline: deadline, now: 3)
            #expect(later.elapsed == .seconds(3) && later.clockBehind == nil)
            #expect(later.differs(from: item))
            let paused = self.item(schedule, .paused, start: 0, deadline: deadline, held: -10, now: 3)
            #expect(paused.elapsed == .zero && paused.clockBehind == .seconds(10))
        }
    }

    @Test func lengthenedTimerUsesItsNewTotal() {
        #expect(item(timer, .armed, start: 0, deadline: 120, now: 60).fraction == 0.5)
    }

    @Test func pausedTimerKeepsItsRemainingTime() {
        let item = item(timer, .paused, start: 0, deadline: 60, held: 20, remind: [lead], now: 500)
        #expect(item.state == .paused)
        #expect(item.due == nil)
        #expect(item.remaining == .seconds(40))
        #expect(item.elapsed == .seconds(20))
        #expect(item.nextReminder == nil)
        #expect(item.wordsChange == nil)
    }

    @Test func idleTimerHasOnlyATotal() {
        let item = item(timer, .idle, now: 5)
        #expect(item.state == .idle)
        #expect(item.total == .seconds(60))
        #expect(item.remaining == nil)
        #expect(item.due == nil)
    }

    @Test func actingTimerStandsAtZero() {
        let item = item(timer, .acting, start: 0, deadline: 60, now: 63)
        #expect(item.state == .acting)
        #expect(item.remaining == .zero)
        #expect(item.wordsChange == nil)
    }

    @Test func expiredTimerShowsTimeSinceExpiry() {
        let item = item(timer, .expired, start: 0, deadline: 60, now: 90)
        #expect(item.state == .expired)
        #expect(item.words == "30 s ago")
        #expect(item.fraction == 0)
    }

    @Test func stopwatchCountsUpAndPauses() {
        let watch = Definition.Schedule.stopwatch(Stopwatch(alerts: [.seconds(30), .seconds(1_800)]))
        let running = item(watch, .armed, start: 0, laps: [.seconds(10)], now: 40)
        #expect(running.elapsed == .seconds(40))
        #expect(running.remaining == nil)
        #expect(running.due == nil)
        #expect(running.laps?.count == 1)
        #expect(running.nextReminder == Item.NextReminder(due: at(1_800), lead: "at 30 minutes"))
        #expect(running.wordsChange == at(40.5))
        let held = item(watch, .paused, start: 0, held: 25, now: 99)
        #expect(held.elapsed == .seconds(25))
        #expect(held.wordsChange == nil)
        #expect(item(watch, .idle, now: 1).elapsed == nil)
        #expect(item(watch, .idle, now: 1).laps == [])
    }

    @Test func eventCountsDownToItsNextOccurrence() {
        let event = Definition.Schedule.event(Event(trigger: .at([at(0), at(100), at(300)])))
        let between = item(event, .armed, remind: [lead], now: 150)
        #expect(between.state == .upcoming)
        #expect(between.due == at(300))
        #expect(between.total == .seconds(200))
        #expect(between.nextReminder?.due == at(280))
        let over = item(event, .expired, now: 360)
        #expect(over.state == .expired)
        #expect(over.due == at(300))
        #expect(over.remaining == .seconds(-60))
        #expect(over.total == nil)
    }

    @Test func oneTimeEventIsMeasuredFromFirstSight() {
        let event = Definition.Schedule.event(Event(trigger: .at([at(100)])))
        let item = item(event, .armed, start: 0, now: 25)
        #expect(item.total == .seconds(100))
        #expect(item.fraction == 0.75)
        #expect(self.item(event, .armed, now: 25).fraction == nil)
    }

    @Test func silencedReminderIsMarked() {
        let event = Definition.Schedule.event(Event(trigger: .at([at(100), at(300)])))
        let origin = Overrides.Origin(by: "ada", at: at(0))
        func silence(_ overrides: Overrides, now: Double) -> Item.NextReminder.Silence? {
            item(event, .armed, remind: [lead], overrides: overrides, now: now).nextReminder?.silence
        }
        #expect(silence(Overrides(), now: 10) == nil)
        #expect(silence(Overrides(mute: Overrides.Mute(until: at(90), origin: origin)), now: 10) == .muted)
        #expect(silence(Overrides(mute: Overrides.Mute(until: at(80), origin: origin)), now: 10) == nil)
        let skip = Overrides(skip: Overrides.Skip(occurrence: at(300), origin: origin))
        #expect(silence(skip, now: 10) == nil)
        #expect(silence(skip, now: 110) == .skipped)
        let watch = Definition.Schedule.stopwatch(Stopwatch(start: .auto, alerts: [.seconds(60)]))
        let muted = Overrides(mute: Overrides.Mute(until: at(90), origin: origin))
        #expect(item(watch, .armed, start: 0, overrides: muted, now: 10).nextReminder?.silence == .muted)
    }

    @Test func disabledDefinitionShowsNoReminder() {
        let event = Definition.Schedule.event(Event(trigger: .at([at(100)])))
        let off = item(event, .armed, remind: [lead], enabled: false, now: 0)
        #expect(off.state == .disabled)
        #expect(off.remaining == .seconds(100))
        #expect(off.nextReminder == nil)
    }

    @Test func overridesAreShownUntilTheyEnd() {
        let origin = Overrides.Origin(by: "anna", at: at(0))
        let overrides = Overrides(
            mute: Overrides.Mute(until: at(10), origin: origin),
            skip: Overrides.Skip(occurrence: at(60), origin: origin))
        #expect(item(timer, .armed, start: 0, deadline: 60, overrides: overrides, now: 5).overrides == overrides)
        let later = item(timer, .armed, start: 0, deadline: 60, overrides: overrides, now: 10)
        #expect(later.overrides.mute == nil)
        #expect(later.overrides.skip != nil)
    }

    @Test func passingTimeIsAChangeOnlyIfTheWordsChange() {
        func running(_ now: Double) -> Item { item(timer, .armed, start: 0, deadline: 60, now: now) }
        #expect(!running(10).differs(from: running(10.2)))
        #expect(running(10).differs(from: running(11)))
        #expect(running(10).differs(from: item(timer, .paused, start: 0, deadline: 60, held: 10, now: 10)))
        let held = item(timer, .paused, start: 0, deadline: 60, held: 10, now: 10)
        #expect(!held.differs(from: item(timer, .paused, start: 0, deadline: 60, held: 10, now: 30)))
    }
}
