/// The due instants of one lead time over the occurrences of a trigger.
///
/// They are not always in the order of the occurrences, and they are not always distinct. A month before 29 March,
/// 10:00, and a month before 30 March, 9:00, both fall on 28 February; a day before the two passes of a repeated hour
/// is the same hour. But occurrences four days apart keep their order: month lengths differ by three days at most, and
/// no offset change is longer than a day.
///
/// Therefore a search starts at a lower bound (``Zone/searchStart(for:_:after:)``) and ends four days after the first
/// result. Within a part of a day without an offset change the lead has the same length for all occurrences, so the
/// search jumps directly to the first relevant one: the cost depends on the days of the search, not on the occurrences.
struct LeadWalk {
    let trigger: Trigger
    let zone: Zone
    let lead: CalendarSpan
    let side: Reminder.Side
    /// Shared by the walks of one definition; nil if it has few.
    var memo: OccurrenceMemo?

    private static let slack = Duration.seconds(4 * 86_400)

    /// The due instant of an occurrence's lead.
    func due(of occurrence: Timestamp) -> Timestamp { zone.instant(lead, side, of: occurrence) }

    /// The earliest due instant after `cursor`; nil if there is none.
    func firstDue(after cursor: Timestamp) -> Timestamp? {
        var best: (due: Timestamp, until: Timestamp)?
        var found = search(after: start(near: cursor))
        while let occurrence = found, occurrence <= best?.until ?? .distantFuture {
            let due = due(of: occurrence)
            if due > cursor, due < best?.due ?? .distantFuture {
                if isExact { return due }
                best = (due, min(best?.until ?? .distantFuture, occurrence.advanced(by: Self.slack)))
            }
            // Where the lead has a constant length, the skipped occurrences are due at or before the cursor, or after
            // `due`.
            found = next(after: occurrence, due: due, reaching: due > cursor ? nil : cursor)
        }
        return best?.due
    }

    /// Calls `body` with each occurrence whose lead is due after `cursor` and up to `now`.
    func forEach(
        dueAfter cursor: Timestamp, upTo now: Timestamp, _ body: (_ occurrence: Timestamp, _ due: Timestamp) -> Void
    ) {
        visit(dueAfter: cursor, upTo: now) { occurrence, due in
            body(occurrence, due)
            return .next
        }
    }

    /// Does the same as far as `body` says. Returns the occurrence `from` which to resume; nil at the end.
    @discardableResult
    func visit(
        dueAfter cursor: Timestamp, upTo now: Timestamp, from position: Timestamp? = nil,
        _ body: (_ occurrence: Timestamp, _ due: Timestamp) -> WalkStep
    ) -> Timestamp? {
        let end = lastOccurrence(dueBy: now)
        var found = position ?? search(after: start(near: cursor))
        while let occurrence = found, occurrence <= end {
            let due = due(of: occurrence)
            if due > cursor, due <= now {
                let step = body(occurrence, due)
                found = trigger.next(after: step.last ?? occurrence)
                if step.isStop { return found.flatMap { $0 <= end ? $0 : nil } }
            } else {
                found = next(after: occurrence, due: due, reaching: due > now ? nil : cursor)
            }
        }
        return nil
    }

    /// Calls `body` with each occurrence after `now` whose lead was due by then, until it returns false. Where the rule
    /// can count, it is called once for many occurrences: with the last one and their number. Returns the occurrence
    /// `from` which to resume; nil at the end.
    func visitPast(
        at now: Timestamp, from position: Timestamp? = nil,
        _ body: (_ last: Timestamp, _ due: Timestamp, _ count: Int) -> Bool
    ) -> Timestamp? {
        let end = lastOccurrence(dueBy: now)
        var found = position ?? search(after: now)
        while let occurrence = found, occurrence <= end {
            let due = due(of: occurrence)
            guard due <= now else {
                found = next(after: occurrence, due: due, reaching: nil)
                continue
            }
            let reach = min(occurrence.advanced(by: due.duration(to: now)), reach(from: occurrence))
            let run = trigger.run(from: occurrence, through: reach) ?? (last: occurrence, count: 1)
            let goesOn = body(run.last, self.due(of: run.last), run.count)
            found = trigger.next(after: run.last)
            if !goesOn { return found.flatMap { $0 <= end ? $0 : nil } }
        }
        return nil
    }

    /// The last instant up to which the lead of occurrences has the same length as that of this one.
    func reach(from occurrence: Timestamp) -> Timestamp {
        isExact ? .distantFuture : occurrence.advanced(by: span(from: occurrence))
    }

    /// Whether the lead of this occurrence, or of a later one, may be due at or before `instant`.
    func mayBeDue(by instant: Timestamp, from occurrence: Timestamp) -> Bool {
        due(of: occurrence).advanced(by: .zero - Self.slack) <= instant
    }

    /// Whether `due` may belong to an occurrence at or before `instant`.
    func mayBelong(_ due: Timestamp, upTo instant: Timestamp) -> Bool {
        due <= (isExact ? self.due(of: instant) : self.due(of: instant).advanced(by: Self.slack))
    }

    private func search(after instant: Timestamp) -> Timestamp? {
        guard let memo else { return trigger.next(after: instant) }
        return memo.next(after: instant)
    }

    private var isExact: Bool { lead.months == 0 && lead.days == 0 }

    /// The occurrence whose lead is due at `instant`, accurate to within the slack.
    private func opposite(of instant: Timestamp) -> Timestamp {
        zone.instant(lead, side == .before ? .after : .before, of: instant)
    }

    /// A lower bound: no occurrence at or before it has its lead due after `cursor`.
    private func start(near cursor: Timestamp) -> Timestamp { zone.searchStart(for: lead, side, after: cursor) }

    /// An upper bound of the occurrences whose lead is due by `now`.
    private func lastOccurrence(dueBy now: Timestamp) -> Timestamp {
        isExact ? opposite(of: now) : opposite(of: now).advanced(by: Self.slack)
    }

    /// The next occurrence. As long as the lead keeps its length, skips occurrences whose lead is not due after
    /// `target`, or all of them if that is nil.
    private func next(after occurrence: Timestamp, due: Timestamp, reaching target: Timestamp?) -> Timestamp? {
        guard !isExact else { return search(after: occurrence) }
        var skip = span(from: occurrence)
        if let target { skip = min(skip, due.duration(to: target)) }
        return search(after: max(occurrence, occurrence.advanced(by: skip)))
    }

    /// How long after an occurrence the lead still has the same length, including the end.
    private func span(from occurrence: Timestamp) -> Duration {
        zone.steadySpan(of: lead, side, from: occurrence) - .nanoseconds(1)
    }
}
