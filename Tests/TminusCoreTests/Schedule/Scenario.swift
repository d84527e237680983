@testable import TminusCore

/// The instant that many seconds after a fixed moment in 2026.
func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_780_000_000_000_000_000 + Int64(seconds * 1e9))
}

extension ScheduleMachine {
    /// Everything that is in force.
    var all: [ScheduleEntry] { page(from: 0, limit: .max).entries }
}

/// A scheduler under test, with a store reduced to what a restart needs.
struct Scenario {
    var state: ScheduleMachine
    var definitions: [DefinitionID: Definition] = [:]
    /// The last stored state of each schedule.
    var stored: [DefinitionID: ScheduleState] = [:]
    var storedMute: Overrides.Mute?
    /// All firings so far.
    var firings: [Firing] = []
    var omissions: [Omission] = []
    var reports: [ScheduleReport] = []

    init(_ definitions: Definition..., now: Timestamp = at(0)) {
        state = ScheduleMachine(StoreSnapshot())
        load(definitions, now: now)
    }

    mutating func load(_ definitions: [Definition], now: Timestamp) {
        let set = DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))
        self.definitions = set.definitions
        step(.definitions(set), now: now)
    }

    /// Steps until nothing more is due, and returns the firings.
    @discardableResult
    mutating func step(_ input: ScheduleInput = .due, now: Timestamp) -> [Firing] {
        let before = firings.count
        var input = input
        var isMoreDue = true
        while isMoreDue {
            let effects = state.step(input, now: now)
            for schedule in effects.commit.schedules { stored[schedule.id] = schedule }
            firings += effects.commit.firings
            omissions += effects.commit.omissions
            reports += effects.reports
            isMoreDue = effects.isMoreDue
            input = .due
        }
        return Array(firings[before...])
    }

    /// Applies a control and returns the state after it.
    @discardableResult
    mutating func control(
        _ control: Control, _ id: String = "t", by: String = "ada", note: String? = nil, now: Timestamp
    ) throws(ControlRefusal) -> ScheduleState {
        let request = ControlRequest(id: DefinitionID(id)!, control: control, by: by, note: note)
        let effects = state.step(.control(request), now: now)
        for schedule in effects.commit.schedules { stored[schedule.id] = schedule }
        firings += effects.commit.firings
        omissions += effects.commit.omissions
        reports += effects.reports
        if effects.isMoreDue { step(now: now) }
        guard let answer = effects.answer else { throw .unwritten(reason: "no answer") }
        return try answer.get().state
    }

    /// Mutes or unmutes all definitions and returns the affected ids.
    @discardableResult
    mutating func controlAll(
        _ action: GeneralControl.Action, note: String? = nil, now: Timestamp
    ) throws(ControlRefusal) -> [String] {
        let effects = state.step(.controlAll(GeneralControl(action, by: "ada", note: note)), now: now)
        for schedule in effects.commit.schedules { stored[schedule.id] = schedule }
        switch effects.commit.mute {
        case .until(let mute): storedMute = mute
        case .over: storedMute = nil
        case nil: break
        }
        firings += effects.commit.firings
        omissions += effects.commit.omissions
        guard let answer = effects.generalAnswer else { throw .unwritten(reason: "no answer") }
        return try answer.get().map(\.definition.id.rawValue)
    }

    /// The refusal of a control; nil if it is applied.
    mutating func refusal(_ control: Control, _ id: String = "t", now: Timestamp) -> ControlRefusal? {
        do throws(ControlRefusal) { try self.control(control, id, now: now) } catch { return error }
        return nil
    }

    /// Kills the process; another one continues from the store with the same directory.
    mutating func restart(
        now: Timestamp, open: Set<EndedExpiry> = [], with definitions: [Definition]? = nil, trustsClock: Bool = true
    ) {
        state = ScheduleMachine(
            StoreSnapshot(schedules: Array(stored.values), openExpiries: open, mute: storedMute),
            trustsClock: trustsClock)
        load(definitions ?? Array(self.definitions.values), now: now)
    }
}

extension Definition {
    static let sink = SinkKey("stdout")

    static func timer(
        _ duration: Duration, _ repetition: TminusCore.Timer.Repetition = .never, id: String = "t", count: Int? = nil,
        start: TminusCore.Timer.Start = .auto, remind: [Duration] = [], sinks: [SinkKey] = [sink]
    ) -> Definition {
        make(
            id, .timer(Timer(duration: duration, start: start, repetition: repetition, count: count)), remind: remind,
            sinks: sinks)
    }

    static func event(id: String = "e", at instants: [Timestamp], remind: [Duration] = []) -> Definition {
        make(id, .event(Event(trigger: .at(instants))), remind: remind, sinks: [sink])
    }

    static func stopwatch(
        id: String = "t", start: TminusCore.Timer.Start = .manual, alerts: [Duration] = []
    ) -> Definition {
        make(id, .stopwatch(Stopwatch(start: start, alerts: alerts)), remind: [], sinks: [sink]).with {
            $0.onElapsed = [sink]
        }
    }

    private static func make(
        _ id: String, _ schedule: Schedule, remind: [Duration], sinks: [SinkKey]
    ) -> Definition {
        Definition(
            id: DefinitionID(id) ?? DefinitionID("bad")!, schedule: schedule, name: id,
            reminders: remind.map { Reminder(CalendarSpan(nanoseconds: $0.nanoseconds), actions: sinks) },
            onExpiry: sinks, zone: .utc, origin: SourceLocation(file: "test.yaml"))
    }

    func with(_ change: (inout Definition) -> Void) -> Definition {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Firing {
    /// The action and its due instant in seconds, as a short text for expectations.
    var short: String {
        let seconds = at(0).duration(to: due).nanoseconds / 1_000_000_000
        return "\(definition) \(action.kind.rawValue) \(seconds)\(payload.isCatchUp ? " late" : "")"
    }
}
