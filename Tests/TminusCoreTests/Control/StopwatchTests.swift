import Testing

@testable import TminusCore

@Suite("Stopwatches")
struct StopwatchTests {
    @Test("time stopped is not counted, and laps are exact after restarts")
    func exact() throws {
        var scenario = Scenario(.stopwatch())
        try scenario.control(.start(adding: nil), now: at(10.000_000_001))
        try scenario.control(.lap, now: at(30))
        scenario.restart(now: at(40))
        try scenario.control(.stop, now: at(50))
        scenario.restart(now: at(1_000))
        #expect(scenario.refusal(.lap, now: at(1_001)) != nil)
        try scenario.control(.start(adding: nil), now: at(2_000))
        scenario.restart(now: at(2_005))
        let state = try scenario.control(.lap, now: at(2_010))
        #expect(state.laps == [.nanoseconds(19_999_999_999), .nanoseconds(49_999_999_999)])
        #expect(state.elapsed(at: at(2_020)) == .nanoseconds(59_999_999_999))
        let zero = try scenario.control(.reset, now: at(2_030))
        #expect(zero.phase == .idle)
        #expect(zero.laps.isEmpty)
        #expect(zero.elapsed(at: at(3_000)) == nil)
    }

    @Test("each control in each state")
    func table() throws {
        let rows: [(Control, idle: ScheduleState.Phase?, armed: ScheduleState.Phase?, paused: ScheduleState.Phase?)] = [
            (.start(adding: nil), .armed, .armed, .armed), (.start(adding: .seconds(1)), nil, nil, nil),
            (.pause, nil, .paused, .paused), (.resume, nil, .armed, .armed), (.stop, .idle, .paused, .paused),
            (.reset, .idle, .idle, .idle), (.lap, nil, .armed, nil), (.skip, nil, nil, nil),
            (.snooze(for: .seconds(9)), nil, nil, nil), (.mute(until: at(99)), .idle, .armed, .paused),
            (.unmute, .idle, .armed, .paused),
        ]
        for row in rows {
            for (index, expected) in [row.idle, row.armed, row.paused].enumerated() {
                var scenario = Scenario(.stopwatch())
                if index > 0 { try scenario.control(.start(adding: nil), now: at(1)) }
                if index > 1 { try scenario.control(.pause, now: at(2)) }
                let phase = try? scenario.control(row.0, now: at(3)).phase
                #expect(phase == expected, "\(row.0.verb) \(index)")
            }
        }
    }

    @Test("alerts come at their elapsed times, a pause between them included, and say what they are")
    func alerts() throws {
        var scenario = Scenario(.stopwatch(alerts: [.seconds(1_800), .seconds(60)]))
        try scenario.control(.start(adding: nil), now: at(0))
        for now in [59.0, 60] { scenario.step(now: at(now)) }
        try scenario.control(.stop, now: at(100))
        scenario.step(now: at(5_000))
        try scenario.control(.start(adding: nil), now: at(10_000))
        scenario.restart(now: at(10_001))
        for now in [11_699.0, 11_700, 20_000] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t elapsed 60", "t elapsed 11700"])
        let last = try #require(scenario.firings.last)
        #expect(last.action.rawValue == "elapsed:PT30M")
        #expect(last.action.kind.eventType == "tminus.elapsed")
        #expect(last.payload.message == "t has run for 30 minutes")
        #expect(last.payload.elapsed == Payload.Amount(nanoseconds: 1_800_000_000_000, text: "30 minutes"))
        #expect(last.sinks == [Definition.sink])
    }

    @Test("the newest of several missed alerts is sent")
    func catchUp() throws {
        var scenario = Scenario(.stopwatch(start: .auto, alerts: [.seconds(60), .seconds(120), .seconds(9_000)]))
        scenario.restart(now: at(1_000))
        #expect(scenario.firings.map(\.short) == ["t elapsed 120 late"])
        #expect(scenario.firings.map(\.payload.message) == ["t has run for 2 minutes, 15 min ago"])
        #expect(scenario.omissions.map(\.reason) == [.superseded])
    }

    @Test("an edit of the alerts fires no past alert and keeps the elapsed time")
    func edit() throws {
        var scenario = Scenario(.stopwatch(start: .auto, alerts: [.seconds(100)]))
        scenario.load([.stopwatch(start: .auto, alerts: [.seconds(20), .seconds(60)])], now: at(50))
        for now in [60.0, 100] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t elapsed 60"])
    }

    @Test("a stopwatch counts elapsed time, whatever the clock is set to")
    func clockStep() throws {
        var scenario = Scenario(.stopwatch(start: .auto))
        scenario.step(.clockStepped(by: .seconds(-3_600)), now: at(-3_590))
        scenario.step(.slept(for: .seconds(100)), now: at(-3_480))
        #expect(try scenario.control(.lap, now: at(-3_480)).laps == [.seconds(120)])
    }

    @Test("no lap is negative after the clock was set back while the daemon was down")
    func clockSetBack() throws {
        var scenario = Scenario(.stopwatch(start: .auto))
        #expect(try scenario.control(.lap, now: at(100)).laps == [.seconds(100)])
        scenario.restart(now: at(-3_500))
        #expect(try scenario.control(.lap, now: at(-3_500)).laps == [.seconds(100), .seconds(100)])
        scenario.restart(now: at(50))
        #expect(try scenario.control(.lap, now: at(50)).laps.last == .seconds(100))
        #expect(try scenario.control(.lap, now: at(130)).laps.last == .seconds(130))
    }

    @Test("the number of laps is limited")
    func lapLimit() throws {
        var scenario = Scenario(.stopwatch(start: .auto))
        for lap in 1...StopwatchControl.lapLimit { try scenario.control(.lap, now: at(Double(lap))) }
        #expect(
            scenario.refusal(.lap, now: at(5_000))
                == .unfit(
                    reason: "it already has 1000 laps, the maximum", fitting: [.pause, .stop, .reset, .mute]))
    }
}
