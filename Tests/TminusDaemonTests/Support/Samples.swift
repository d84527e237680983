import TminusCore
import TminusTestKit

/// An instant that many seconds after a fixed moment in 2026.
func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_780_000_000_000_000_000 + Int64(seconds * 1e9))
}

extension DefinitionSet {
    init(_ definitions: [Definition], sinks: [SinkSpec]) {
        self.init(
            definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }),
            sinks: Dictionary(uniqueKeysWithValues: sinks.map { ($0.key, $0) }))
    }
}

extension Definition {
    static func timer(
        _ id: String = "t", _ duration: Duration = .seconds(60), _ repetition: TminusCore.Timer.Repetition = .never,
        remind: [Duration] = [], to sinks: [String] = ["s"]
    ) -> Definition {
        make(id, .timer(Timer(duration: duration, repetition: repetition)), remind, sinks)
    }

    static func event(_ id: String = "e", at instants: [Timestamp], to sinks: [String] = ["s"]) -> Definition {
        make(id, .event(Event(trigger: .at(instants))), [], sinks)
    }

    private static func make(
        _ id: String, _ schedule: Schedule, _ remind: [Duration], _ sinks: [String]
    ) -> Definition {
        let keys = sinks.map { SinkKey($0) }
        return Definition(
            id: .test(id), schedule: schedule, name: id,
            reminders: remind.map { Reminder(CalendarSpan(nanoseconds: $0.nanoseconds), actions: keys) },
            onExpiry: keys, zone: .utc, origin: SourceLocation(file: "test.yaml"))
    }
}

extension DefinitionID {
    static func test(_ text: String) -> DefinitionID {
        guard let id = DefinitionID(text) else { preconditionFailure("'\(text)' is no id") }
        return id
    }
}

extension Recording {
    /// A named sink of this recording that runs so many deliveries at once.
    func sink(_ name: String = "s", maxConcurrent: Int = 4) -> SinkSpec {
        var spec = spec(name: name)
        guard case .mapping(let entries) = spec.options.content else { return spec }
        let limit = Node.Entry(key: "max-concurrent", value: Node(.scalar(String(maxConcurrent))))
        spec.options = Node(.mapping(entries + [limit]))
        return spec
    }

    /// Definition and attempt of every delivery so far.
    var shorts: [String] { deliveries.map { "\($0.payload.id) \($0.action.rawValue) \($0.attempt)" } }
}
