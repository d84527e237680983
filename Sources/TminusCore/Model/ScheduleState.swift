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
    /// The kind. A definition that changes its kind starts from the beginning.
    public var kind: DefinitionKind
    /// Identifies the rule that yields occurrences. If it changes, the new rule applies from now on.
    public var fingerprint: UInt64
    /// Identifies the lead times. If they change, the new ones apply from now on; the countdown continues.
    public var leads: UInt64
    /// The phase of the schedule.
    public var phase: Phase
    /// Everything due up to and including this instant has been processed.
    public var cursor: Timestamp
    /// For a timer, the start of the running cycle. For an event, when its present rule was first seen; nil if unknown.
    public var start: Timestamp?
    /// For a timer, the end of the running cycle; while acting, the end of the last one.
    public var deadline: Timestamp?
    /// The number of occurrences that have been reached.
    public var occurrences: Int
    /// Since when a timer or stopwatch is paused. Resuming moves `start` and `deadline` by the length of the pause.
    public var heldSince: Timestamp?
    /// By how much a user lengthened the running cycle of a timer.
    public var added: Duration
    /// The laps of a stopwatch: the time at the end of each.
    public var laps: [Duration]
    /// The overrides that users set.
    public var overrides: Overrides
    /// When it was removed from the directory. Its state is kept for a while, so that a definition that reappears resumes.
    public var removed: Timestamp?
    /// Whether its definition was disabled when this was written. What fell due since then is not sent after a restart
    /// either, even if the definition is enabled by then.
    public var isDisabled: Bool

    /// A state with all its fields.
    public init(
        id: DefinitionID, kind: DefinitionKind, fingerprint: UInt64, leads: UInt64, phase: Phase, cursor: Timestamp,
        start: Timestamp? = nil, deadline: Timestamp? = nil, occurrences: Int = 0, heldSince: Timestamp? = nil,
        added: Duration = .zero, laps: [Duration] = [], overrides: Overrides = Overrides(), removed: Timestamp? = nil,
        isDisabled: Bool = false
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
        self.isDisabled = isDisabled
    }

    /// The same state of a definition that is in force now: ``isDisabled`` is what that one says.
    func inForce(as definition: Definition) -> ScheduleState {
        var state = self
        state.isDisabled = !definition.isEnabled
        return state
    }
}
