/// Decides which of the actions that came due are sent and which are recorded as omitted. They come in one by one and in any
/// order, and only those that may still be sent are kept: a downtime of weeks costs no memory.
///
/// What is punctual is sent. Of what was missed while nobody could act, the catch-up policy sends the newest expiries and the
/// newest reminder of an occurrence still to come, or nothing; under `latest` a punctual one counts as newer. A reminder whose
/// occurrence has passed meanwhile is of no use, nor is anything beyond the grace.
struct Triage {
    struct Verdict {
        /// What is sent, in the order of the due instants.
        fileprivate(set) var sent: [(action: DueAction, isCatchUp: Bool)]
        fileprivate(set) var omissions: [Omission]
    }

    let definition: Definition
    let now: Timestamp
    /// Why nothing is sent at all, for a definition that is disabled or was removed.
    let suppression: Omission.Reason?
    /// What people have said.
    let overrides: Overrides
    /// Up to when everything due has been noticed on time, and only waits for its turn among many: that is not missed.
    var noticed: Timestamp?

    private var punctual: [DueAction] = []
    private var expiries: Backlog
    private var reminders: Backlog
    private var tally = OmissionTally()

    init(
        definition: Definition, now: Timestamp, suppression: Omission.Reason?, overrides: Overrides = Overrides()
    ) {
        self.definition = definition
        self.now = now
        self.suppression = suppression
        self.overrides = overrides
        expiries = Backlog(limit: definition.catchUp.expiryLimit)
        reminders = Backlog(limit: min(1, definition.catchUp.expiryLimit))
    }

    /// Takes in an action that came due.
    mutating func take(_ action: DueAction) {
        if let reason = suppression ?? overrides.reason(against: action) { return omit(action, reason) }
        let late = action.due.duration(to: noticed.map { action.due <= $0 ? $0 : now } ?? now)
        if late > Lateness.punctual, definition.catchUp == .none { return omit(action, .notCaughtUp) }
        if late > definition.grace { return omit(action, .tooLate) }
        if late <= Lateness.punctual { return punctual.append(action) }
        if case .reminder(_, .before) = action.action {
            if action.occurrence <= now { return omit(action, .tooLate) }
        }
        var dropped: [DueAction] = []
        if action.isOfItsOwn {
            expiries.add(action, dropping: &dropped)
        } else {
            reminders.add(action, dropping: &dropped)
        }
        for action in dropped { drop(action) }
    }

    /// Why an action and the later ones of its walk are not sent, whatever they are: the reason, the last due instant to
    /// which it applies, and how many of the newest until then have to be taken one by one. Nil if the action itself has
    /// to be taken.
    ///
    /// The time between the due instants and their occurrences must be the same for all of them.
    func bulk(_ action: DueAction) -> (reason: Omission.Reason, through: Timestamp, keeping: Int)? {
        if let suppression { return (suppression, now, 0) }
        if let restored = overrides.restored, action.due <= restored { return (.restored, min(now, restored), 0) }
        if let mute = overrides.mute, action.due < mute.until { return (.muted, min(now, mute.until.previous), 0) }
        guard overrides.skip == nil, overrides.snooze == nil, noticed == nil else { return nil }
        let missed = now.advanced(by: .zero - Lateness.punctual).previous
        guard action.due <= missed else { return nil }
        if definition.catchUp == .none { return (.notCaughtUp, missed, 0) }
        let useless = now.advanced(by: .zero - definition.grace).previous
        if action.due <= useless { return (.tooLate, useless, 0) }
        if case .reminder(_, .before) = action.action, action.occurrence <= now {
            return (.tooLate, min(missed, action.due.advanced(by: action.occurrence.duration(to: now))), 0)
        }
        let limit = definition.catchUp.expiryLimit
        return (reasonToDrop(action), missed, action.isOfItsOwn ? limit : min(1, limit))
    }

    /// Takes in that `count` actions are not sent, of which this is the newest.
    mutating func omit(_ action: DueAction, _ reason: Omission.Reason, count: Int = 1) {
        tally.add(action, reason, count: count)
    }

    /// What is sent and what is not.
    mutating func verdict() -> Verdict {
        var missed = expiries.kept() + reminders.kept()
        if definition.catchUp == .latest {
            for isOfItsOwn in [true, false] where punctual.contains(where: { $0.isOfItsOwn == isOfItsOwn }) {
                for action in missed where action.isOfItsOwn == isOfItsOwn { drop(action) }
                missed.removeAll { $0.isOfItsOwn == isOfItsOwn }
            }
        }
        for action in expiries.surplus() + reminders.surplus() { drop(action) }
        var sent = punctual.map { (action: $0, isCatchUp: false) } + missed.map { (action: $0, isCatchUp: true) }
        sent.sort { DueAction.areInOrder($0.action, $1.action) }
        return Verdict(sent: sent, omissions: tally.omissions(of: definition.id, overrides))
    }

    private mutating func drop(_ action: DueAction) { omit(action, reasonToDrop(action)) }

    private func reasonToDrop(_ action: DueAction) -> Omission.Reason {
        // Of a reminder the newest is sent, under whatever policy sends any.
        let reason = definition.catchUp.reasonToDrop
        return !action.isOfItsOwn && reason == .overLimit ? .superseded : reason
    }
}

extension DueAction {
    /// Whether catching up counts it by itself: an expiry, or the alert of a stopwatch. A reminder belongs to its occurrence.
    fileprivate var isOfItsOwn: Bool { action.kind != .reminder }
}

/// The newest of what was missed, up to a limit.
private struct Backlog {
    let limit: Int
    private var actions: [DueAction] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds one; now and then the oldest beyond the limit go.
    mutating func add(_ action: DueAction, dropping dropped: inout [DueAction]) {
        guard limit > 0 else { return dropped.append(action) }
        actions.append(action)
        // Sorting at twice the limit keeps the cost of each constant.
        guard actions.count >= 2 * limit + 16 else { return }
        dropped += surplus()
        actions = kept()
    }

    func kept() -> [DueAction] { Array(ordered.suffix(limit)) }
    func surplus() -> [DueAction] { Array(ordered.dropLast(limit)) }

    private var ordered: [DueAction] { actions.sorted(by: DueAction.areInOrder) }
}

/// What is not sent: one record for each action and reason, with their count; it carries the newest instants.
private struct OmissionTally {
    private struct Key: Hashable {
        var action: FiringAction
        var reason: Omission.Reason
    }

    private var records: [Key: (newest: DueAction, count: Int)] = [:]

    mutating func add(_ action: DueAction, _ reason: Omission.Reason, count: Int) {
        let key = Key(action: action.action, reason: reason)
        guard let record = records[key] else {
            records[key] = (action, count)
            return
        }
        let newest = DueAction.areInOrder(record.newest, action) ? action : record.newest
        records[key] = (newest, record.count + count)
    }

    func omissions(of id: DefinitionID, _ overrides: Overrides) -> [Omission] {
        records.map { key, record in
            Omission(
                definition: id, occurrence: record.newest.occurrence, action: key.action, due: record.newest.due,
                reason: key.reason, count: record.count, note: overrides.note(for: key.reason))
        }.sorted { ($0.due, $0.action.rawValue, $0.reason.rawValue) < ($1.due, $1.action.rawValue, $1.reason.rawValue) }
    }
}
