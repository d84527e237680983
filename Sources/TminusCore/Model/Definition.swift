/// One entry of a config file, checked and with all defaults applied.
public struct Definition: Sendable, Hashable {
    /// What is counted down: the part that decides when something is due.
    public enum Schedule: Sendable, Hashable {
        /// An instant or several on the calendar.
        case event(Event)
        /// A duration from a start.
        case timer(Timer)
        /// The time since a start.
        case stopwatch(Stopwatch)
    }

    /// Unique in the config directory.
    public var id: DefinitionID
    /// When it is due.
    public var schedule: Schedule
    /// For people; the id unless set.
    public var name: String
    /// For people.
    public var description: String?
    /// A colour by name or `#rrggbb`, for people.
    public var color: String?
    /// Passed through to every payload.
    public var labels: [String: String]
    /// A definition that is not enabled stays listed and is silent.
    public var isEnabled: Bool
    /// What is said before (or after) an occurrence, without duplicates.
    public var reminders: [Reminder]
    /// Where an expiry goes.
    public var onExpiry: [SinkKey]
    /// Where the alerts of a stopwatch go.
    public var onElapsed: [SinkKey]
    /// Where is told that a delivery was given up, or an expiry missed.
    public var onFailure: [SinkKey]
    /// What becomes of an action while that of an earlier occurrence is not over; nil: what is usual for each kind of sink.
    public var overlap: Overlap?
    /// What happens to occurrences that came due while nobody could act.
    public var catchUp: CatchUp
    /// How late an expiry is still useful; positive. A reminder is at the most until its occurrence.
    public var grace: Duration
    /// The zone in which instants are shown and calendar units are counted.
    public var zone: Zone
    /// Where it was written. Not part of its meaning.
    public var origin: SourceLocation

    /// A definition with all its fields; the catch-up policy is that of its schedule unless one is given.
    public init(
        id: DefinitionID, schedule: Schedule, name: String, description: String? = nil, color: String? = nil,
        labels: [String: String] = [:], isEnabled: Bool = true, reminders: [Reminder] = [], onExpiry: [SinkKey],
        onElapsed: [SinkKey] = [], onFailure: [SinkKey] = [], overlap: Overlap? = nil, catchUp: CatchUp? = nil,
        grace: Duration = Lateness.grace,
        zone: Zone, origin: SourceLocation
    ) {
        self.id = id
        self.schedule = schedule
        self.name = name
        self.description = description
        self.color = color
        self.labels = labels
        self.isEnabled = isEnabled
        self.reminders = reminders
        self.onExpiry = onExpiry
        self.onElapsed = onElapsed
        self.onFailure = onFailure
        self.overlap = overlap
        self.catchUp = catchUp ?? .standard(for: schedule)
        self.grace = grace
        self.zone = zone
        self.origin = origin
    }

    /// What it is.
    public var kind: DefinitionKind {
        switch schedule {
        case .event: .event
        case .timer: .timer
        case .stopwatch: .stopwatch
        }
    }
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
    /// By how much an expiry may be moved, to spread what is due at one instant; zero for none.
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

    /// The clock that a timer counts by.
    public enum Clock: String, Sendable, Hashable, Codable, CaseIterable {
        /// Time that passes, also in suspend; steps of the wall clock do not count.
        case elapsed
        /// As `elapsed`, but it stands still while the machine sleeps.
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
    /// How many expiries at the most; nil: no bound.
    public var count: Int?
    /// The clock that it counts by.
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
    /// The times at which it tells, ascending.
    public var alerts: [Duration]

    /// A stopwatch with all its fields.
    public init(start: Timer.Start = .manual, alerts: [Duration] = []) {
        self.start = start
        self.alerts = alerts
    }
}

/// An action some lead time before or after an occurrence.
public struct Reminder: Sendable, Hashable {
    /// On which side of the occurrence the reminder is.
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
    /// Where it goes.
    public var actions: [SinkKey]

    /// A reminder `lead` before (or after) the occurrence.
    public init(_ lead: CalendarSpan, side: Side = .before, actions: [SinkKey]) {
        self.lead = lead
        self.side = side
        self.actions = actions
    }

    /// What tells this reminder from the others of its definition, also in the delivery id.
    public var action: FiringAction { .reminder(lead, side) }
}

/// All definitions that are in force, and the sinks that they name.
public struct DefinitionSet: Sendable, Equatable {
    /// By id.
    public var definitions: [DefinitionID: Definition]
    /// Every sink that an action names, and every sink that a file declares.
    public var sinks: [SinkKey: SinkSpec]

    /// A set of definitions and sinks.
    public init(definitions: [DefinitionID: Definition] = [:], sinks: [SinkKey: SinkSpec] = [:]) {
        self.definitions = definitions
        self.sinks = sinks
    }
}
