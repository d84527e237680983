/// The progress of one definition's schedule, which must survive a restart.
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
    /// The phase of a schedule.
    public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
        /// Waits to be started (timer or stopwatch).
        case idle
        /// Counting down; a stopwatch counts up.
        case armed
        /// Paused by a user since ``ScheduleState/heldSince``.
        case paused
        /// The expiry's actions are running and the next cycle waits for them.
        case acting
        /// No more occurrences follow.
        case expired
    }

    /// The definition.
    public var id: DefinitionID
    /// The kind. A definition that changes its kind starts from the beginning.
    public var kind: DefinitionKind
    /// The rule and the lead times that the state belongs to.
    var revision: StateRevision
    /// Identifies the rule that yields occurrences. If it changes, the new rule applies from now on.
    public var fingerprint: String {
        get { revision.fingerprint }
        set { revision = .stored(fingerprint: newValue, leads: revision.leads) }
    }
    /// Identifies the lead times. If they change, the new ones apply from now on; the countdown continues.
    public var leads: String {
        get { revision.leads }
        set { revision = .stored(fingerprint: revision.fingerprint, leads: newValue) }
    }
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
    public var heldSince: Timestamp? {
        get { rare?.value.heldSince }
        set { change { $0.heldSince = newValue } }
    }
    /// By how much a user lengthened the running cycle of a timer.
    public var added: Duration {
        get { rare?.value.added ?? .zero }
        set { change { $0.added = newValue } }
    }
    /// The laps of a stopwatch: the time at the end of each.
    public var laps: [Duration] {
        get { rare?.value.laps ?? [] }
        set { change { $0.laps = newValue } }
    }
    /// The overrides that users set.
    public var overrides: Overrides {
        get { rare?.value.overrides ?? Overrides() }
        set { change { $0.overrides = newValue } }
    }
    /// When it was removed from the directory. A removed state is kept for a while, so that a definition that reappears
    /// resumes.
    public var removed: Timestamp? {
        get { rare?.value.removed }
        set { change { $0.removed = newValue } }
    }

    /// The values that few schedules have; nil if there are none.
    private(set) var rare: Box<Rare>?

    /// A state with all its fields.
    public init(
        id: DefinitionID, kind: DefinitionKind, fingerprint: String, leads: String, phase: Phase, cursor: Timestamp,
        start: Timestamp? = nil, deadline: Timestamp? = nil, occurrences: Int = 0, heldSince: Timestamp? = nil,
        added: Duration = .zero, laps: [Duration] = [], overrides: Overrides = Overrides(), removed: Timestamp? = nil
    ) {
        self.init(
            id: id, kind: kind, revision: .stored(fingerprint: fingerprint, leads: leads), phase: phase, cursor: cursor,
            start: start, deadline: deadline, occurrences: occurrences, heldSince: heldSince, added: added, laps: laps,
            overrides: overrides, removed: removed)
    }

    init(
        id: DefinitionID, kind: DefinitionKind, revision: StateRevision, phase: Phase, cursor: Timestamp,
        start: Timestamp? = nil, deadline: Timestamp? = nil, occurrences: Int = 0, heldSince: Timestamp? = nil,
        added: Duration = .zero, laps: [Duration] = [], overrides: Overrides = Overrides(), removed: Timestamp? = nil
    ) {
        self.init(
            id: id, kind: kind, revision: revision, phase: phase, cursor: cursor, start: start, deadline: deadline,
            occurrences: occurrences,
            rare: Rare(heldSince: heldSince, added: added, laps: laps, overrides: overrides, removed: removed).boxed)
    }

    init(
        id: DefinitionID, kind: DefinitionKind, revision: StateRevision, phase: Phase, cursor: Timestamp,
        start: Timestamp?, deadline: Timestamp?, occurrences: Int, rare: Box<Rare>?
    ) {
        self.id = id
        self.kind = kind
        self.revision = revision
        self.phase = phase
        self.cursor = cursor
        self.start = start
        self.deadline = deadline
        self.occurrences = occurrences
        self.rare = rare
    }

    private mutating func change(_ change: (inout Rare) -> Void) {
        var fields = rare?.value ?? Rare()
        change(&fields)
        rare = fields.boxed
    }
}

extension ScheduleState {
    /// The values that few schedules have.
    struct Rare: Sendable, Hashable {
        var heldSince: Timestamp?
        var added = Duration.zero
        var laps: [Duration] = []
        var overrides = Overrides()
        var removed: Timestamp?

        /// Nil if no value is set.
        var boxed: Box<Rare>? { self == Rare() ? nil : Box(self) }
    }
}
