internal import DequeModule

/// The only owner of the schedule: a value that takes inputs with `now` and returns effects.
///
/// The invariant, in prose. Each definition has a cursor: an instant up to which everything due has been turned into firings
/// or omissions. A step moves cursors and names what was passed; the store writes both in one transaction. So after a crash the
/// stored cursor tells exactly what was not yet written, and stepping again from there produces the same firings, whose
/// delivery ids are the same. The state here may be ahead of the store only while one advance is being written.
package struct ScheduleMachine: Sendable {
    /// How many definitions one step takes; the rest follows in further steps, so that a transaction stays short and what it is about
    /// in the processor's cache: a flood takes longer in steps of twice as many, with a disk to wait for and without.
    static let stepLimit = 1_000
    /// How many occurrences one step visits, so that no rule, however dense, keeps everything else waiting. The rest
    /// follows in further steps, with other turns between them.
    package static let visitLimit = 10_000

    var table = ScheduleTable()
    /// States of definitions that are not in the directory; before the first set, all.
    var absent: [DefinitionID: ScheduleState] = [:]
    /// The last expiry of each schedule in phase `acting` that has open deliveries. One whose wait was ended by a person stays until
    /// the next one takes its place: nobody tells of its end.
    var openExpiries: [DefinitionID: Timestamp]
    var sinks: [SinkKey: SinkSpec]? {
        didSet { sinkOverlaps = (sinks ?? [:]).compactMapValues(SinkOverlap.init) }
    }
    /// Of the sinks that have one; read once a set and not with each firing.
    private(set) var sinkOverlaps: [SinkKey: SinkOverlap] = [:]
    /// Which content of the directory is in force, if it is known.
    var generation: Int?
    /// The silence of everything, of what is added among it; it may be over.
    package internal(set) var mute: Overrides.Mute?
    /// The slots of ``table`` by when they are due, but for those in ``backlog``.
    var queue = DueQueue<UInt32>()
    /// The slots whose pass over what is due takes more than one step, by when that step was.
    var backlog = DueQueue<UInt32>()
    private var spread = CatchUpSpread()
    /// How many more occurrences this step may visit.
    var allowance = visitLimit
    /// The passes of ``backlog``.
    var unfinished: [UInt32: EventPass] = [:]
    /// Counts of past reminders that are not complete, in the order in which they began.
    var pastLeads: Deque<PastLeadCount> = []
    /// Whether the clock was known to be right at the start. Otherwise it may be far behind, and what seems to be stored by a clock
    /// that was ahead is not touched.
    let trustsClock: Bool
    /// When the first step found more due than it may take; nil once all of it has been taken.
    var busySince: Timestamp?

    /// A scheduler that goes on from what was stored. Nothing is due before the first definitions.
    package init(_ snapshot: StoreSnapshot, trustsClock: Bool = true) {
        self.trustsClock = trustsClock
        absent = Dictionary(snapshot.schedules.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        openExpiries = Dictionary(
            snapshot.openExpiries.map { ($0.definition, $0.occurrence) }, uniquingKeysWith: max)
        mute = snapshot.mute
    }

    /// The next instant at which a step has something to do.
    package private(set) var nextDue: Timestamp?
    /// The next instant at which something falls due that no step has begun. Edits come before the rest of what was begun, because
    /// that may be years of a dense rule.
    package private(set) var nextNew: Timestamp?

    /// How many definitions are in force, by kind and state.
    var counts: DefinitionCounts { table.counts }

    /// The state of a definition that is in force.
    package func schedule(of id: DefinitionID) -> ScheduleState? { table.row(id)?.state }

    /// Takes one input.
    package mutating func step(_ input: ScheduleInput, now: Timestamp) -> ScheduleEffects {
        var effects = ScheduleEffects()
        allowance = Self.visitLimit
        switch input {
        case .definitions(let set, let others): apply(set, except: others, now: now, &effects)
        case .changes(let set, let ids): apply(set, among: ids, now: now, &effects)
        case .due:
            effects.isMoreDue = fireDue(now: now, &effects)
        case .ended(let expiries):
            for expiry in expiries { end(expiry, now: now, &effects) }
        case .control(let request):
            effects.answer = perform(request, now: now, &effects)
            effects.isMoreDue = isDue(at: now)
        case .controlAll(let control):
            effects.generalAnswer = perform(control, now: now, &effects)
            effects.isMoreDue = isDue(at: now)
        case .clockStepped(let step):
            busySince = nil
            shift(by: step, held: true, &effects) { $0 != .wall }
            if step < .zero { correct(now: now, &effects) }
            // More moves of the clock may wait. Nothing fires before all of them are applied.
            effects.isMoreDue = isDue(at: now)
        case .slept(let time):
            busySince = nil
            // What is held stands still in any case.
            shift(by: time, held: false, &effects) { $0 == .awake }
            // As above.
            effects.isMoreDue = isDue(at: now)
        }
        spread.apply(to: &effects.commit.firings, now: now)
        findNextDue()
        effects.visits = Self.visitLimit - allowance
        if effects.corrected > 0 { effects.reports.append(.corrected(count: effects.corrected)) }
        return effects
    }

    /// Puts definitions in force, after what they leave behind. They withdraw nothing that they fire: a definition that takes
    /// the place of another fires nothing at the instant at which it came.
    private mutating func apply(
        _ set: DefinitionSet, among ids: Set<DefinitionID>? = nil, except others: Set<DefinitionID> = [],
        now: Timestamp, _ effects: inout ScheduleEffects
    ) {
        fireAllDue(now: now, &effects)
        putInForce(set, among: ids, except: others, now: now, &effects)
        effects.isMoreDue = fireDue(now: now, &effects)
    }

    /// Updates ``nextDue`` and ``nextNew``.
    mutating func findNextDue() {
        nextNew = queue.next()
        nextDue = [nextNew, backlog.next(), pastLeads.first?.now].compactMap(\.self).min()
    }

    /// When something of a slot is due.
    func due(_ slot: UInt32) -> Timestamp? { backlog[slot] ?? queue[slot] }

    /// Whether something is due at `now`.
    mutating func isDue(at now: Timestamp) -> Bool {
        findNextDue()
        return nextDue.map { $0 <= now } ?? false
    }
}

/// The overlap of a sink, where it has one.
struct SinkOverlap: Sendable {
    /// What its options say.
    let own: Overlap?
    /// What is usual for its kind.
    let usual: Overlap?

    /// Nil if it has neither.
    init?(_ spec: SinkSpec) {
        (own, usual) = (spec.overlap, spec.usualOverlap)
        if own == nil, usual == nil { return nil }
    }
}
