/// The due instants of one lead time over the occurrences of a trigger.
///
/// They are not always in the order of the occurrences, and they are not always distinct. A month before 29 March,
/// 10:00, and a month before 30 March, 9:00, both fall on 28 February; a day before the two passes of a repeated hour
/// is the same hour. But occurrences four days apart keep their order: month lengths differ by three days at most, and
/// no offset change is longer than a day.
///
/// Therefore a search starts at a lower bound (``Zone/searchStart(for:_:after:)``) and ends four days after the first
/// result. Within a day without an offset change the lead has the same length for all occurrences, so the search jumps
/// directly to the first relevant one.
struct LeadWalk: Sendable {
    let trigger: Trigger
    let zone: Zone
    let lead: CalendarSpan
    let side: Reminder.Side

    private static let slack = Duration.seconds(4 * 86_400)
    private static let margin = Duration.seconds(26 * 3_600)

    /// The due instant of an occurrence's lead.
    func due(of occurrence: Timestamp) -> Timestamp { zone.instant(lead, side, of: occurrence) }

    /// The earliest due instant after `cursor`; nil if there is none.
    func firstDue(after cursor: Timestamp) -> Timestamp? {
        var best: (due: Timestamp, until: Timestamp)?
        var found = trigger.next(after: start(near: cursor))
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
        let end = isExact ? opposite(of: now) : opposite(of: now).advanced(by: Self.slack)
        var found = trigger.next(after: start(near: cursor))
        while let occurrence = found, occurrence <= end {
            let due = due(of: occurrence)
            if due > cursor, due <= now {
                body(occurrence, due)
                found = trigger.next(after: occurrence)
            } else {
                found = next(after: occurrence, due: due, reaching: due > now ? nil : cursor)
            }
        }
    }

    /// A lower bound of the due instants of all occurrences after `instant`.
    func earliestDue(ofOccurrencesAfter instant: Timestamp) -> Timestamp {
        due(of: instant).advanced(by: .zero - Self.slack)
    }

    /// Whether the lead of this occurrence, or of a later one, may be due at or before `instant`.
    func mayBeDue(by instant: Timestamp, from occurrence: Timestamp) -> Bool {
        earliestDue(ofOccurrencesAfter: occurrence) <= instant
    }

    /// Whether `due` may belong to an occurrence at or before `instant`.
    func mayBelong(_ due: Timestamp, upTo instant: Timestamp) -> Bool {
        due <= (isExact ? self.due(of: instant) : self.due(of: instant).advanced(by: Self.slack))
    }

    private var isExact: Bool { lead.months == 0 && lead.days == 0 }

    /// The occurrence whose lead is due at `instant`, accurate to within the slack.
    private func opposite(of instant: Timestamp) -> Timestamp {
        zone.instant(lead, side == .before ? .after : .before, of: instant)
    }

    /// A lower bound: no occurrence at or before it has its lead due after `cursor`.
    private func start(near cursor: Timestamp) -> Timestamp { zone.searchStart(for: lead, side, after: cursor) }

    /// The next occurrence. Skips occurrences of the same day whose lead is not due after `target`; if that is nil,
    /// skips the rest of the day.
    private func next(after occurrence: Timestamp, due: Timestamp, reaching target: Timestamp?) -> Timestamp? {
        guard !isExact, isSteady(around: occurrence), isSteady(around: due) else {
            return trigger.next(after: occurrence)
        }
        let dayEnd = zone.local(occurrence).nanosecondsLeftOfDay
        var skip = Duration.nanoseconds(dayEnd - 1)
        if let target { skip = min(skip, due.duration(to: target)) }
        return trigger.next(after: max(occurrence, occurrence.advanced(by: skip)))
    }

    private func isSteady(around instant: Timestamp) -> Bool {
        zone.isSteady(from: instant.advanced(by: .zero - Self.margin), to: instant.advanced(by: Self.margin))
    }
}
