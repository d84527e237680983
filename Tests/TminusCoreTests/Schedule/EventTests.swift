import Testing
import TminusCore

@Suite("Events")
struct EventTests {
    let hour = Duration.seconds(3_600)

    @Test("an event keeps the instant at which its rule was first seen, over other edits and a restart")
    func firstSeen() {
        let event = Definition.event(at: [at(1_000)])
        var scenario = Scenario(event, now: at(10))
        scenario.load([event.with { $0.name = "E" }], now: at(20))
        scenario.load([Definition.event(at: [at(1_000)], remind: [.seconds(60)])], now: at(30))
        scenario.restart(now: at(40))
        #expect(scenario.state.schedule(of: event.id)?.start == at(10))
        scenario.load([.event(at: [at(2_000)])], now: at(50))
        #expect(scenario.state.schedule(of: event.id)?.start == at(50))
    }

    @Test("reminders come before the occurrence, the longest lead first")
    func order() {
        var scenario = Scenario(.event(at: [at(10_000)], remind: [.seconds(300), hour, .seconds(1_800)]))
        for now in stride(from: 0.0, through: 12_000, by: 100) { scenario.step(now: at(now)) }
        #expect(
            scenario.firings.map(\.short) == [
                "e reminder 6400", "e reminder 8200", "e reminder 9700", "e expiry 10000",
            ])
        #expect(scenario.firings[0].payload.before?.nanoseconds == 3_600_000_000_000)
        #expect(scenario.state.nextDue == nil)
    }

    @Test("a reminder is of use until its occurrence, everything else until its grace is over")
    func expires() {
        let event = Definition.event(at: [at(10_000)], remind: [hour]).with {
            $0.grace = .seconds(50)
            $0.reminders.append(
                Reminder(CalendarSpan(nanoseconds: 60_000_000_000), side: .after, actions: [Definition.sink]))
        }
        var scenario = Scenario(event)
        for now in [6_400.0, 10_000, 10_060] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.expires) == [at(10_000), at(10_050), at(10_110)])
    }

    @Test("a lead already past when the event is first seen is recorded, not sent")
    func pastLead() {
        var scenario = Scenario(.event(at: [at(600)], remind: [hour, .seconds(60)]))
        for now in [540.0, 600] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["e reminder 540", "e expiry 600"])
        #expect(scenario.omissions.map(\.reason) == [.pastWhenDefined])
    }

    @Test("an edit never fires the past")
    func editIntoThePast() {
        var scenario = Scenario(.event(at: [at(10_000)]))
        scenario.load([.event(at: [at(50), at(20_000)], remind: [.seconds(19_950)])], now: at(100))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.state.nextDue == at(20_000))
    }

    @Test("a firing due before an edit is still sent")
    func dueBeforeEdit() {
        var scenario = Scenario(.event(at: [at(100)]))
        scenario.load([.event(at: [at(500)])], now: at(100.001))
        #expect(scenario.firings.map(\.short) == ["e expiry 100"])
    }

    @Test("downtime: the newest missed occurrence is sent once, marked; the others are recorded")
    func downtime() {
        var scenario = Scenario(.event(at: [at(100), at(200), at(300), at(9_000)]))
        scenario.restart(now: at(4_000))
        #expect(scenario.firings.map(\.short) == ["e expiry 300 late"])
        #expect(scenario.omissions.map(\.reason) == [.superseded])
        #expect(scenario.omissions.map(\.count) == [2])
        #expect(scenario.firings[0].payload.late == 3_700_000_000_000)
    }

    @Test("downtime: of missed reminders the newest is sent, and only before the occurrence")
    func missedLeads() {
        let event = Definition.event(at: [at(10_000)], remind: [hour, .seconds(1_800), .seconds(60)])
        var scenario = Scenario(event)
        scenario.restart(now: at(9_000))
        #expect(scenario.firings.map(\.short) == ["e reminder 8200 late"])
        scenario.restart(now: at(10_500))
        #expect(scenario.firings.map(\.short) == ["e reminder 8200 late", "e expiry 10000 late"])
        #expect(scenario.omissions.map(\.reason) == [.superseded, .tooLate])
    }

    @Test("an expiry more than seven days late is recorded as missed")
    func grace() {
        var scenario = Scenario(.event(at: [at(100)]))
        scenario.restart(now: at(100 + 7 * 86_400 + 1))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.tooLate])
    }

    @Test("a disabled event sends nothing, and its occurrences are recorded")
    func disabled() {
        let event = Definition.event(at: [at(100), at(200)])
        var scenario = Scenario(event.with { $0.isEnabled = false })
        scenario.step(now: at(100))
        scenario.load([event], now: at(150))
        scenario.step(now: at(200))
        #expect(scenario.firings.map(\.short) == ["e expiry 200"])
        #expect(scenario.omissions.map(\.reason) == [.disabled])
    }

    @Test("what fell due while the definition was disabled is not sent, even if it is enabled during a downtime")
    func enabledDuringDowntime() {
        let event = Definition.event(at: [at(100), at(200)])
        let timer = Definition.timer(.seconds(120), .immediately)
        let disabled = [event, timer].map { $0.with { $0.isEnabled = false } }
        var scenario = Scenario(event, timer)
        scenario.load(disabled, now: at(50))
        scenario.restart(now: at(150), with: [event, timer])
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.disabled, .disabled])
        scenario.step(now: at(240))
        #expect(scenario.firings.map(\.short) == ["e expiry 200 late", "t expiry 240"])
    }

    @Test("what falls due during a downtime is sent after it if the definition was enabled again before")
    func enabledBeforeDowntime() {
        let event = Definition.event(at: [at(100)])
        var scenario = Scenario(event.with { $0.isEnabled = false })
        scenario.load([event], now: at(50))
        scenario.restart(now: at(150))
        #expect(scenario.firings.map(\.short) == ["e expiry 100 late"])
    }

    @Test("an end that came while its timer was gone or disabled is not sent, also if it returns with another reminder")
    func editedWhileAway() {
        let edited = Definition.timer(.seconds(150), remind: [.seconds(20)])
        var removed = Scenario(.timer(.seconds(150)))
        removed.load([], now: at(50))
        removed.load([edited], now: at(200))
        removed.step(now: at(300))
        #expect(removed.firings.isEmpty && removed.omissions.contains { $0.reason == .removed && $0.due == at(150) })
        var disabled = Scenario(.timer(.seconds(150)).with { $0.isEnabled = false })
        disabled.restart(now: at(200), with: [edited])
        disabled.step(now: at(300))
        #expect(disabled.firings.isEmpty && disabled.omissions.contains { $0.reason == .disabled && $0.due == at(150) })
    }

    @Test("removal cancels and is reported; a return resumes and fires nothing that was due meanwhile")
    func removal() {
        let event = Definition.event(at: [at(100), at(200)])
        var scenario = Scenario(event, .timer(.seconds(150)))
        scenario.load([], now: at(50))
        #expect(scenario.reports.filter { $0 == .cancelled(event.id, hadFile: true) }.count == 1)
        #expect(scenario.state.nextDue == nil)
        scenario.load([event, .timer(.seconds(150))], now: at(120))
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.removed])
        scenario.step(now: at(300))
        #expect(scenario.firings.map(\.short) == ["t expiry 150 late", "e expiry 200 late"])
    }

    @Test("an event that becomes a timer starts anew")
    func kindChange() {
        var scenario = Scenario(.event(id: "x", at: [at(100)]))
        scenario.load([.timer(.seconds(10), id: "x")], now: at(20))
        #expect(scenario.step(now: at(30)).map(\.short) == ["x expiry 30"])
    }

    @Test("a past event is reported when it is first seen, when it is edited, and after a restart")
    func pastIsTold() {
        let past = Definition.event(at: [at(-1_000)])
        var scenario = Scenario(past)
        #expect(scenario.omissions.map(\.reason) == [.pastWhenDefined])
        #expect(
            scenario.reports == [.omitted(scenario.omissions[0]), .addedWithoutNext(past.id, .expired)])
        scenario.load([.event(at: [at(-2_000)])], now: at(1))
        #expect(scenario.reports.last == .rescheduled(past.id, next: nil))
        scenario.restart(now: at(2))
        #expect(scenario.reports.last == .restored(past.id, next: nil))
    }
}
