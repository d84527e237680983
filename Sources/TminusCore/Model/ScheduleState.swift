/// What must survive a restart of one definition's schedule: how far it has come.
///
///     event:  armed ── last occurrence over ──▶ expired
///     timer:  idle ── started ──▶ armed ── expiry ──▶ expired            (repeat: never, or count reached)
///                                   ▲  └─── expiry ──▶ armed             (repeat: immediately)
///                                   │  └─── expiry ──▶ acting            (repeat: after-action)
///                                   └── actions ended ── acting
///     timer, stopwatch:  armed ── pause ──▶ paused ── resume ──▶ armed
///     stopwatch:  idle ── start ──▶ armed, paused ── reset ──▶ idle
///     any:    changed schedule ──▶ armed (or idle), from now on
public struct ScheduleState: Sendable, Hashable {
    /// Where the schedule stands.
    public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
        /// A timer that waits to be started.
        case idle
        /// Counting down; of a stopwatch, up.
        case armed
        /// Held by a person since ``ScheduleState/heldSince``.
        case paused
        /// The expiry's actions are running and the next cycle waits for them.
        case acting
        /// Nothing is to come.
        case expired
    }

    /// The definition.
    public var id: DefinitionID
    /// Event or timer: a definition that changes its kind starts anew.
    public var kind: DefinitionKind
    /// Identifies the rule that yields occurrences. Another one is computed from now on.
    public var fingerprint: UInt64
    /// Identifies the lead times. Others apply from now on and leave the countdown alone.
    public var leads: UInt64
    /// Where the schedule stands.
    public var phase: Phase
    /// Everything due up to and including this instant has been dealt with.
    public var cursor: Timestamp
    /// A timer's start of the running cycle; when an event was first seen with its present rule, nil if that is not known.
    public var start: Timestamp?
    /// A timer's end of the running cycle; while acting, the one that has just ended.
    public var deadline: Timestamp?
    /// How many occurrences have been reached.
    public var occurrences: Int
    /// Since when a timer or stopwatch is paused. Going on moves `start` and `deadline` by the time since then.
    public var heldSince: Timestamp?
    /// By how much a person lengthened the running cycle of a timer.
    public var added: Duration
    /// The laps of a stopwatch: its time at the end of each.
    public var laps: [Duration]
    /// What people have said.
    public var overrides: Overrides
    /// Since when it is gone from the directory; kept for a while so that a definition that returns resumes.
    public var removed: Timestamp?

    /// A state with all its fields.
    public init(
        id: DefinitionID, kind: DefinitionKind, fingerprint: UInt64, leads: UInt64, phase: Phase, cursor: Timestamp,
        start: Timestamp? = nil, deadline: Timestamp? = nil, occurrences: Int = 0, heldSince: Timestamp? = nil,
        added: Duration = .zero, laps: [Duration] = [], overrides: Overrides = Overrides(), removed: Timestamp? = nil
    ) {
        self.id = id
        self.kind = kind
        self.fingerprint = fingerprint
        self.leads = leads
        self.phase = phase
        self.cursor = cursor
        self.start = start
        self.deadline = deadline
        self.occurrences = occurrences
        self.heldSince = heldSince
        self.added = added
        self.laps = laps
        self.overrides = overrides
        self.removed = removed
    }
}
