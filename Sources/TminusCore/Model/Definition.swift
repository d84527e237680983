/// One entry of a config file, checked and with all defaults applied.
public struct Definition: Sendable, Hashable {
    /// The part that decides when something is due.
    public enum Schedule: Sendable, Hashable {
        /// One or more instants on the calendar.
        case event(Event)
        /// A duration from a start.
        case timer(Timer)
        /// The time since a start.
        case stopwatch(Stopwatch)
    }

    /// The id, unique in the config directory.
    public var id: DefinitionID {
        get { storage.fields.id }
        set { change { $0.id = newValue } }
    }
    /// The schedule, which decides when it is due.
    public var schedule: Schedule {
        get { storage.fields.schedule }
        set { change { $0.schedule = newValue } }
    }
    /// The name for display; the id by default.
    public var name: String {
        get { storage.fields.name }
        set { change { $0.name = newValue } }
    }
    /// The description for display.
    public var description: String? {
        get { storage.fields.description }
        set { change { $0.description = newValue } }
    }
    /// The colour for display, as a name or `#rrggbb`.
    public var color: String? {
        get { storage.fields.shared.values.color }
        set { changeShared { $0.color = newValue } }
    }
    /// Labels, copied to every payload.
    public var labels: [String: String] {
        get { storage.fields.shared.values.labels }
        set { changeShared { $0.labels = newValue } }
    }
    /// Whether it is enabled. A disabled definition stays listed and sends nothing.
    public var isEnabled: Bool {
        get { storage.fields.shared.values.isEnabled }
        set { changeShared { $0.isEnabled = newValue } }
    }
    /// The reminders before or after an occurrence, without duplicates.
    public var reminders: [Reminder] {
        get { storage.fields.shared.values.reminders }
        set { changeShared { $0.reminders = newValue } }
    }
    /// The sinks of an expiry.
    public var onExpiry: [SinkKey] {
        get { storage.fields.shared.values.onExpiry }
        set { changeShared { $0.onExpiry = newValue } }
    }
    /// The sinks of a stopwatch's alerts.
    public var onElapsed: [SinkKey] {
        get { storage.fields.shared.values.onElapsed }
        set { changeShared { $0.onElapsed = newValue } }
    }
    /// The sinks that are notified when a delivery is dead or an expiry missed.
    public var onFailure: [SinkKey] {
        get { storage.fields.shared.values.onFailure }
        set { changeShared { $0.onFailure = newValue } }
    }
    /// What happens to an action while that of an earlier occurrence is still pending; nil for the default of each kind
    /// of sink.
    public var overlap: Overlap? {
        get { storage.fields.shared.values.overlap }
        set { changeShared { $0.overlap = newValue } }
    }
    /// How occurrences are handled that were missed because of downtime, suspend, or a clock step.
    public var catchUp: CatchUp {
        get { storage.fields.shared.values.catchUp }
        set { changeShared { $0.catchUp = newValue } }
    }
    /// How late an expiry is still useful; positive. A reminder is useful until its occurrence at most.
    public var grace: Duration {
        get { storage.fields.shared.values.grace }
        set { changeShared { $0.grace = newValue } }
    }
    /// The zone for showing instants and counting calendar units.
    public var zone: Zone {
        get { storage.fields.shared.values.zone }
        set { changeShared { $0.zone = newValue } }
    }
    /// The place in the file. A definition that is elsewhere is another one.
    public var origin: SourceLocation {
        get {
            SourceLocation(
                file: storage.fields.shared.values.file, line: Int(storage.fields.line),
                column: Int(storage.fields.column))
        }
        set {
            changeShared { $0.file = newValue.file }
            change { ($0.line, $0.column) = (UInt32(clamping: newValue.line), UInt32(clamping: newValue.column)) }
        }
    }

    private var storage: Storage

    /// A definition with all its fields; without `catchUp`, the policy is that of the schedule.
    public init(
        id: DefinitionID, schedule: Schedule, name: String, description: String? = nil, color: String? = nil,
        labels: [String: String] = [:], isEnabled: Bool = true, reminders: [Reminder] = [], onExpiry: [SinkKey],
        onElapsed: [SinkKey] = [], onFailure: [SinkKey] = [], overlap: Overlap? = nil, catchUp: CatchUp? = nil,
        grace: Duration = Lateness.grace,
        zone: Zone, origin: SourceLocation
    ) {
        let values = SharedValues(
            color: color, labels: labels, isEnabled: isEnabled, reminders: reminders, onExpiry: onExpiry,
            onElapsed: onElapsed, onFailure: onFailure, overlap: overlap,
            catchUp: catchUp ?? .standard(for: schedule), grace: grace, zone: zone, file: origin.file)
        storage = Storage(
            Fields(
                id: id, schedule: schedule, name: name, description: description, shared: Shared(values),
                line: UInt32(clamping: origin.line), column: UInt32(clamping: origin.column)))
    }

    /// Shares equal values with another definition to save memory: most definitions of a file differ in id, name and
    /// schedule only.
    package mutating func share(with other: Definition) {
        let shared = other.storage.fields.shared
        guard storage.fields.shared !== shared, storage.fields.shared == shared else { return }
        change { $0.shared = shared }
    }

    /// The kind of definition.
    public var kind: DefinitionKind {
        switch schedule {
        case .event: .event
        case .timer: .timer
        case .stopwatch: .stopwatch
        }
    }
}

// MARK: - Changes

extension Definition {
    private mutating func change(_ body: (inout Fields) -> Void) {
        var fields = storage.fields
        body(&fields)
        storage = Storage(fields)
    }

    private mutating func changeShared(_ body: (inout SharedValues) -> Void) {
        var values = storage.fields.shared.values
        body(&values)
        change { $0.shared = Shared(values) }
    }

    /// Definitions that an edit did not change share one object, so most comparisons end after comparing two
    /// references.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }
}

/// The kinds of definition.
public enum DefinitionKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Counts down to an instant on the calendar.
    case event
    /// Counts down a duration.
    case timer
    /// Counts up.
    case stopwatch
}

/// The calendar part of an event.
public struct Event: Sendable, Hashable {
    /// The rule that yields the occurrences.
    public var trigger: Trigger
    /// The largest time by which an expiry is delayed, to spread expiries that are due at one instant; zero for no
    /// delay.
    public var jitter: Duration

    /// An event with that trigger.
    public init(trigger: Trigger, jitter: Duration = .zero) {
        self.trigger = trigger
        self.jitter = jitter
    }
}

/// The duration part of a timer.
public struct Timer: Sendable, Hashable {
    /// What happens after an expiry.
    public enum Repetition: String, Sendable, Hashable, Codable, CaseIterable {
        /// One expiry.
        case never
        /// The next cycle begins at the instant of the expiry (fixed rate).
        case immediately
        /// The next cycle begins when the actions of the expiry have ended.
        case afterAction = "after-action"
    }

    /// What begins the first cycle.
    public enum Start: String, Sendable, Hashable, Codable, CaseIterable {
        /// Being loaded for the first time.
        case auto
        /// A command.
        case manual
    }

    /// The clock that measures a timer's duration.
    public enum Clock: String, Sendable, Hashable, Codable, CaseIterable {
        /// Elapsed time, including suspend; steps of the wall clock do not count.
        case elapsed
        /// Like `elapsed`, but time in suspend does not count.
        case awake
        /// The wall clock: setting it shortens or lengthens the countdown.
        case wall
    }

    /// The length of one cycle; positive.
    public var duration: Duration
    /// What begins the first cycle.
    public var start: Start
    /// What happens after an expiry.
    public var repetition: Repetition
    /// The largest number of expiries; nil for no limit.
    public var count: Int?
    /// The clock that measures its duration.
    public var clock: Clock

    /// A timer with all its fields.
    public init(
        duration: Duration, start: Start = .auto, repetition: Repetition = .never, count: Int? = nil,
        clock: Clock = .elapsed
    ) {
        self.clock = clock
        self.duration = duration
        self.start = start
        self.repetition = repetition
        self.count = count
    }
}

/// The part of a stopwatch that decides when something is due.
public struct Stopwatch: Sendable, Hashable {
    /// What starts it.
    public var start: Timer.Start
    /// The times at which it sends an alert, ascending.
    public var alerts: [Duration]

    /// A stopwatch with all its fields.
    public init(start: Timer.Start = .manual, alerts: [Duration] = []) {
        self.start = start
        self.alerts = alerts
    }
}

/// An action some lead time before or after an occurrence.
public struct Reminder: Sendable, Hashable {
    /// On which side of the occurrence a reminder is.
    public enum Side: String, Sendable, Hashable, Codable {
        /// Before the occurrence.
        case before
        /// After the occurrence.
        case after
    }

    /// How far from the occurrence.
    public var lead: CalendarSpan
    /// On which side of it.
    public var side: Side
    /// The sinks that it is sent to.
    public var actions: [SinkKey]

    /// A reminder `lead` before (or after) the occurrence.
    public init(_ lead: CalendarSpan, side: Side = .before, actions: [SinkKey]) {
        self.lead = lead
        self.side = side
        self.actions = actions
    }

    /// The action, which distinguishes it from the other reminders of its definition and is part of the delivery id.
    public var action: FiringAction { .reminder(lead, side) }
}

/// All definitions in force, and the sinks that they name.
public struct DefinitionSet: Sendable, Equatable {
    /// The definitions by id.
    public var definitions: [DefinitionID: Definition]
    /// All sinks that an action names or a file declares.
    public var sinks: [SinkKey: SinkSpec]
    /// The number of the content of the config directory, counted since the start of the daemon; nil if it is unknown.
    public var generation: Int?

    /// A set of definitions and sinks.
    public init(definitions: [DefinitionID: Definition] = [:], sinks: [SinkKey: SinkSpec] = [:]) {
        self.definitions = definitions
        self.sinks = sinks
    }
}
