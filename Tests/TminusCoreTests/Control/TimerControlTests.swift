import Testing

@testable import TminusCore

@Suite("Controls of timers")
struct TimerControlTests {
    private static let tea = Definition.timer(.seconds(600))
    /// A timer of ten minutes in each phase, at 100 s.
    private static func scenario(_ phase: ScheduleState.Phase) throws -> Scenario {
        var scenario: Scenario
        switch phase {
        case .idle: scenario = Scenario(.timer(.seconds(600), start: .manual))
        case .armed: scenario = Scenario(tea)
        case .paused:
            scenario = Scenario(tea)
            try scenario.control(.pause, now: at(40))
        case .acting:
            scenario = Scenario(.timer(.seconds(90), .afterAction))
            scenario.step(now: at(90))
        case .expired:
            scenario = Scenario(.timer(.seconds(90)))
            scenario.step(now: at(90))
        }
        #expect(scenario.state.all.map(\.state.phase) == [phase])
        return scenario
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var control: Control
        /// The phase afterwards, by the phase before; nil means refused.
        var after: [ScheduleState.Phase: ScheduleState.Phase]

        var testDescription: String { control.verb.rawValue }
    }

    @Test(
        "each control in each state",
        arguments: [
            Row(
                control: .start(adding: nil),
                after: [.idle: .armed, .armed: .armed, .paused: .armed, .acting: .acting, .expired: .armed]),
            Row(
                control: .start(adding: .seconds(60)),
                after: [.idle: .armed, .armed: .armed, .paused: .paused, .expired: .armed]),
            Row(control: .pause, after: [.armed: .paused, .paused: .paused]),
            Row(control: .resume, after: [.armed: .armed, .paused: .armed, .acting: .acting]),
            Row(control: .stop, after: [.idle: .idle, .armed: .idle, .paused: .idle, .acting: .idle]),
            Row(
                control: .reset,
                after: [.idle: .idle, .armed: .armed, .paused: .idle, .acting: .armed, .expired: .idle]),
            Row(control: .lap, after: [:]),
        ])
    func table(_ row: Row) throws {
        for phase in ScheduleState.Phase.allCases {
            var scenario = try Self.scenario(phase)
            let before = scenario.state.all.map(\.state)
            if let expected = row.after[phase] {
                #expect(try scenario.control(row.control, now: at(100)).phase == expected, "\(phase)")
                let state = try #require(scenario.state.all.first?.state)
                #expect((state.phase == .paused) == (state.heldSince != nil), "\(phase)")
                #expect(scenario.stored[state.id] == state, "what is not written is lost at a restart: \(phase)")
            } else {
                guard case .unfit(let reason, let fitting) = scenario.refusal(row.control, now: at(100)) else {
                    Issue.record("\(row.control.verb) of a timer that is \(phase) is not refused")
                    continue
                }
                #expect(!reason.isEmpty)
                #expect(!fitting.isEmpty)
                #expect(scenario.state.all.map(\.state) == before, "\(phase)")
            }
        }
    }

    @Test("a refusal names the verbs that would change something")
    func fitting() throws {
        var idle = try Self.scenario(.idle)
        #expect(
            idle.refusal(.pause, now: at(100))
                == .unfit(reason: "it is not running", fitting: [.start, .mute]))
        var expired = try Self.scenario(.expired)
        #expect(
            expired.refusal(.pause, now: at(5_000))
                == .unfit(reason: "it has expired", fitting: [.start, .reset, .mute]))
        var event = Scenario(.event(at: [at(1_000)]))
        #expect(
            event.refusal(.start(adding: nil), "e", now: at(100))
                == .unfit(
                    reason: "an event follows the calendar; it has no start, pause or stop",
                    fitting: [.snooze, .skip, .mute]))
    }

    @Test("an id that does not exist is refused")
    func unknown() {
        var scenario = Scenario(.timer(.seconds(5), id: "green-tea"))
        #expect(scenario.refusal(.pause, "green-te", now: at(1)) == .unknown)
    }

    @Test("starting what runs changes nothing, however often")
    func idempotent() throws {
        var scenario = Scenario(.timer(.seconds(600), start: .manual))
        let first = try scenario.control(.start(adding: nil), now: at(10))
        let written = scenario.stored
        for now in [11.0, 200, 609] {
            #expect(try scenario.control(.start(adding: nil), now: at(now)) == first)
        }
        #expect(scenario.stored == written)
        #expect(scenario.step(now: at(610)).map(\.short) == ["t expiry 610"])
    }

    @Test("a pause extends the countdown by its exact length, even across a restart")
    func pause() throws {
        var scenario = Scenario(.timer(.seconds(600), remind: [.seconds(60)]))
        try scenario.control(.pause, now: at(100.000_000_001))
        #expect(scenario.state.nextDue == nil)
        scenario.restart(now: at(5_000))
        scenario.step(now: at(9_000))
        #expect(scenario.firings.isEmpty)
        let state = try scenario.control(.resume, now: at(10_000.000_000_001))
        #expect(state.deadline == at(10_500))
        for now in [10_440.0, 10_500] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t reminder 10440", "t expiry 10500"])
    }

    @Test("a reminder that was sent before a pause is not sent again after it")
    func noSecondReminder() throws {
        var scenario = Scenario(.timer(.seconds(600), remind: [.seconds(500), .seconds(60)]))
        scenario.step(now: at(100))
        try scenario.control(.pause, now: at(150))
        try scenario.control(.resume, now: at(1_150))
        for now in stride(from: 1_150.0, through: 1_600, by: 10) { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t reminder 100", "t reminder 1540", "t expiry 1600"])
    }

    @Test("a paused timer stays paused over an edit of its texts and a restart")
    func pauseSurvives() throws {
        var scenario = Scenario(Self.tea)
        let paused = try scenario.control(.pause, now: at(100))
        let edited = Self.tea.with {
            $0.name = "Green tea"
            $0.onExpiry = [SinkKey("other")]
        }
        scenario.load([edited], now: at(200))
        #expect(scenario.state.all.map(\.state) == [paused])
        scenario.restart(now: at(300))
        #expect(scenario.state.all.map(\.state) == [paused])
        #expect(scenario.firings.isEmpty)
    }

    @Test("a 10-minute timer has the same deadline after the process was killed")
    func sameDeadline() throws {
        var scenario = Scenario(.timer(.seconds(600), start: .manual))
        let deadline = try scenario.control(.start(adding: nil), now: at(7.125)).deadline
        scenario.restart(now: at(400))
        #expect(scenario.state.all.map(\.state.deadline) == [deadline])
        #expect(scenario.step(now: at(607.125)).map(\.short) == ["t expiry 607"])
    }

    @Test("an edited duration of a paused timer keeps the elapsed and the added time")
    func editedWhilePaused() throws {
        var scenario = Scenario(Self.tea)
        try scenario.control(.start(adding: .seconds(30)), now: at(50))
        try scenario.control(.pause, now: at(100))
        scenario.load([.timer(.seconds(900))], now: at(1_000))
        let state = try scenario.control(.resume, now: at(2_000))
        // 100 of 930 seconds have passed.
        #expect(state.deadline == at(2_830))
        #expect(state.added == .seconds(30))
    }

    @Test("with a duration shorter than the elapsed time, a paused timer starts anew and stays paused")
    func shortenedWhilePaused() throws {
        var scenario = Scenario(Self.tea)
        try scenario.control(.pause, now: at(100))
        scenario.load([.timer(.seconds(60))], now: at(1_000))
        #expect(scenario.state.all.map(\.state.phase) == [.paused])
        #expect(try scenario.control(.resume, now: at(2_000)).deadline == at(2_060))
    }

    @Test("time is added to a running, a paused and an idle timer, and an edit keeps it")
    func adding() throws {
        var scenario = Scenario(Self.tea)
        #expect(try scenario.control(.start(adding: .seconds(120)), now: at(100)).deadline == at(720))
        try scenario.control(.pause, now: at(200))
        let paused = try scenario.control(.start(adding: .seconds(60)), now: at(300))
        #expect(paused.phase == .paused)
        #expect(paused.added == .seconds(180))
        #expect(try scenario.control(.resume, now: at(400)).deadline == at(980))
        scenario.load([.timer(.seconds(700))], now: at(500))
        #expect(scenario.state.nextDue == at(1_080))
        #expect(scenario.step(now: at(1_080)).map(\.short) == ["t expiry 1080"])
        // The next cycle has the duration of the file.
        #expect(try scenario.control(.start(adding: nil), now: at(2_000)).deadline == at(2_700))
        scenario = Scenario(.timer(.seconds(600), start: .manual))
        #expect(try scenario.control(.start(adding: .seconds(1)), now: at(0)).deadline == at(601))
        #expect(scenario.refusal(.start(adding: .zero), now: at(1)) != nil)
        #expect(scenario.refusal(.start(adding: .seconds(Int64.max)), now: at(1)) != nil)
    }

    @Test("added time moves a reminder that was sent into the past, and it is not sent again")
    func addingPastReminder() throws {
        var scenario = Scenario(.timer(.seconds(600), remind: [.seconds(300)]))
        scenario.step(now: at(300))
        try scenario.control(.start(adding: .seconds(60)), now: at(400))
        scenario.step(now: at(660))
        #expect(scenario.firings.map(\.short) == ["t reminder 300", "t expiry 660"])
    }

    @Test("stop ends a cycle without its expiry, and a reload does not restart it")
    func stop() throws {
        var scenario = Scenario(Self.tea)
        try scenario.control(.stop, now: at(100))
        scenario.load([Self.tea.with { $0.name = "T" }], now: at(200))
        scenario.restart(now: at(300))
        #expect(scenario.step(now: at(10_000)).isEmpty)
        #expect(try scenario.control(.start(adding: nil), now: at(20_000)).deadline == at(20_600))
    }

    @Test("reset runs a running timer again from its full duration and its full count")
    func reset() throws {
        var scenario = Scenario(.timer(.seconds(10), .immediately, count: 2))
        scenario.step(now: at(10))
        let state = try scenario.control(.reset, now: at(15))
        #expect(state.deadline == at(25))
        #expect(state.occurrences == 0)
        for now in [25.0, 35, 45] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t expiry 10", "t expiry 25", "t expiry 35"])
        #expect(scenario.state.all.map(\.state.phase) == [.expired])
    }

    @Test("everything due before a control is sent first")
    func dueFirst() throws {
        var scenario = Scenario(.timer(.seconds(10)))
        #expect(scenario.refusal(.pause, now: at(11)) != nil)
        #expect(scenario.firings.map(\.short) == ["t expiry 10"])
        scenario = Scenario(.timer(.seconds(10)))
        try scenario.control(.start(adding: .seconds(60)), now: at(3_600))
        #expect(scenario.firings.map(\.short) == ["t expiry 10 late"])
        #expect(scenario.state.nextDue == at(3_670))
    }

    @Test("stop ends the wait for running actions")
    func stopWhileActing() throws {
        var scenario = try Self.scenario(.acting)
        let id = DefinitionID("t")!
        try scenario.control(.stop, now: at(100))
        scenario.step(.ended([EndedExpiry(definition: id, occurrence: at(90))]), now: at(110))
        #expect(scenario.state.all.map(\.state.phase) == [.idle])
        try scenario.control(.start(adding: nil), now: at(120))
        #expect(scenario.step(now: at(210)).map(\.short) == ["t expiry 210"])
    }

    @Test(
        "a clock step does not change the remaining time of a paused timer, whatever its clock",
        arguments: TminusCore.Timer.Clock.allCases)
    func clockStep(_ clock: TminusCore.Timer.Clock) throws {
        var scenario = Scenario(.timer(.seconds(600)).withClock(clock))
        try scenario.control(.pause, now: at(100))
        scenario.step(.clockStepped(by: .seconds(-50_000)), now: at(-49_800))
        scenario.step(.slept(for: .seconds(1_000)), now: at(-48_800))
        scenario.restart(now: at(-48_700))
        #expect(try scenario.control(.resume, now: at(-48_000)).deadline == at(-47_500))
        for now in [-48_000.0, -47_500.5, -47_500] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t expiry -47500"])
    }

    @Test("a running timer handles a clock step and a suspend according to its clock")
    func clocks() throws {
        for (clock, afterStep, afterSleep) in [
            (TminusCore.Timer.Clock.elapsed, 4_200.0, 4_200.0), (.awake, 4_200, 5_200), (.wall, 600, 600),
        ] {
            var scenario = Scenario(.timer(.seconds(600)).withClock(clock))
            scenario.step(.clockStepped(by: .seconds(3_600)), now: at(clock == .wall ? 500 : 3_700))
            #expect(scenario.state.nextDue == at(afterStep), "\(clock)")
            scenario.step(.slept(for: .seconds(1_000)), now: at(clock == .wall ? 590 : 4_100))
            #expect(scenario.state.nextDue == at(afterSleep), "\(clock)")
        }
    }

    @Test("a timer that expired before the clock was set back can be started at once")
    func startAfterClockSetBack() throws {
        var scenario = Scenario(.timer(.seconds(10)))
        scenario.step(now: at(10))
        scenario.step(.clockStepped(by: .seconds(-10_000)), now: at(-9_980))
        try scenario.control(.start(adding: nil), now: at(-9_900))
        #expect(scenario.step(now: at(-9_890)).map(\.short) == ["t expiry -9890"])
    }

    @Test("a timer that was edited after its clock was set back is due at its new end, and not when the clock is back")
    func editAfterClockSetBack() {
        let reminder = Duration.seconds(600)
        var scenario = Scenario(.timer(.seconds(7_200), remind: [reminder]).withClock(.wall))
        scenario.step(now: at(6_600))
        scenario.step(.clockStepped(by: .seconds(-3_600)), now: at(3_000))
        scenario.load([.timer(.seconds(4_000), remind: [reminder]).withClock(.wall)], now: at(3_000))
        // One step each: a timer that stays due would keep ``Scenario/step(_:now:)`` from returning.
        let firings = [3_400.0, 4_000].flatMap { scenario.state.step(.due, now: at($0)).commit.firings }
        #expect(firings.map(\.short) == ["t reminder 3400", "t expiry 4000"])
        #expect(scenario.state.nextDue == nil)
    }

    @Test("the cycle after the actions is due even if the clock was set back while they ran")
    func actionsEndAfterClockSetBack() throws {
        var scenario = Scenario(.timer(.seconds(60), .afterAction))
        scenario.step(now: at(60))
        scenario.step(.clockStepped(by: .seconds(-10_000)), now: at(-9_900))
        scenario.step(.ended([EndedExpiry(definition: DefinitionID("t")!, occurrence: at(60))]), now: at(-9_800))
        #expect(scenario.step(now: at(-9_740)).map(\.short) == ["t expiry -9740"])
    }

    @Test(
        "a file that takes the id of an ad-hoc definition inherits none of its state, at once, later and over a restart"
    )
    func idTaken() throws {
        let file = Definition.timer(.seconds(60))
        let focus = file.with { $0.origin.file = SourceLocation.adHoc($0.id) }
        var scenario = Scenario(focus)
        try scenario.control(.mute(until: at(900)), now: at(10))
        scenario.load([file], now: at(20))
        #expect(scenario.state.nextDue == at(80))
        #expect(scenario.stored.values.map(\.overrides) == [Overrides()])
        scenario = Scenario(focus)
        scenario.load([], now: at(20))
        var restarted = scenario
        scenario.load([file], now: at(30))
        #expect(scenario.state.nextDue == at(90))
        restarted.restart(now: at(40), with: [file])
        #expect(restarted.state.nextDue == at(100))
    }

    @Test("an ad-hoc definition that is removed and added again starts anew; over a restart it continues")
    func madeAgain() {
        let focus = Definition.timer(.seconds(60)).with { $0.origin.file = SourceLocation.adHoc($0.id) }
        var scenario = Scenario(focus)
        scenario.step(now: at(60))
        scenario.load([], now: at(70))
        scenario.load([focus], now: at(80))
        #expect(scenario.state.nextDue == at(140))
        scenario.restart(now: at(100))
        #expect(scenario.state.nextDue == at(140))
        // A file that reappears resumes.
        scenario = Scenario(.timer(.seconds(60)))
        scenario.load([], now: at(10))
        scenario.load([.timer(.seconds(60))], now: at(20))
        #expect(scenario.state.nextDue == at(60))
    }

    @Test("each change is reported once, with its user")
    func report() throws {
        var scenario = Scenario(Self.tea)
        try scenario.control(.pause, note: "phone", now: at(1))
        try scenario.control(.pause, now: at(2))
        let request = ControlRequest(id: Self.tea.id, control: .pause, by: "ada", note: "phone")
        #expect(scenario.reports.filter { if case .controlled = $0 { true } else { false } } == [.controlled(request)])
    }

    @Test("a control that could not be written is fully reverted")
    func withdraw() throws {
        var scenario = Scenario(.timer(.seconds(600), remind: [.seconds(590)]))
        let former = try #require(scenario.state.entry(Self.tea.id))
        let request = ControlRequest(id: Self.tea.id, control: .stop, by: "ada")
        _ = scenario.state.step(.control(request), now: at(20))
        scenario.state.withdraw(to: former)
        #expect(scenario.state.entry(Self.tea.id) == former)
        for now in [20.0, 600] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t reminder 10 late", "t expiry 600"])
    }

    @Test("a reset that could not be written leaves a timer waiting for the end of its action")
    func withdrawWhileActing() throws {
        var scenario = Scenario(.timer(.seconds(60), .afterAction))
        scenario.step(now: at(60))
        let former = try #require(scenario.state.entry(Self.tea.id))
        let request = ControlRequest(id: Self.tea.id, control: .reset, by: "ada")
        _ = scenario.state.step(.control(request), now: at(70))
        scenario.state.withdraw(to: former)
        scenario.step(now: at(80))
        #expect(scenario.state.nextDue == nil)
        scenario.step(.ended([EndedExpiry(definition: Self.tea.id, occurrence: at(60))]), now: at(90))
        #expect(scenario.state.nextDue == at(150))
    }

    @Test("an action that ends after its timer was reset changes nothing, and at most one such end is kept")
    func resetWhileActing() throws {
        var scenario = Scenario(.timer(.seconds(60), .afterAction))
        for cycle in 0..<5 {
            scenario.step(now: at(Double(cycle) * 100 + 60))
            try scenario.control(.reset, now: at(Double(cycle) * 100 + 100))
        }
        #expect(scenario.state.openExpiries.count == 1)
        scenario.step(.ended([EndedExpiry(definition: Self.tea.id, occurrence: at(60))]), now: at(510))
        #expect(scenario.state.nextDue == at(560))
    }
}

extension Definition {
    func withClock(_ clock: TminusCore.Timer.Clock) -> Definition {
        with {
            guard case .timer(var timer) = $0.schedule else { return }
            timer.clock = clock
            $0.schedule = .timer(timer)
        }
    }
}
