/// The due instants of one lead time over the occurrences of a trigger.
///
/// They do not always come in the order of the occurrences. A month before 29 March, 10:00, and before 30 March, 9:00, is the
/// same 28 February; a day before the two passes of a repeated hour is the same hour. Nor are they all different. But
/// occurrences four days apart keep their order: no month is shorter than another by more than three days, and no change of an
/// offset is longer than a day. So a search for due instants begins where the first that matters can be
/// (``Zone/searchStart(for:_:after:)``), ends four days after it has found one, and within a day without a change of the
/// offset, where the lead is the same length for all, it goes straight to the first that matters.
struct LeadWalk: Sendable {
    let trigger: Trigger
    let zone: Zone
    let lead: CalendarSpan
    let side: Reminder.Side

    private static let slack = Duration.seconds(4 * 86_400)
    private static let margin = Duration.seconds(26 * 3_600)

    /// When the lead of an occurrence is due.
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
            // Where the lead has the same length, everything up to here is due at or before the cursor, or else after `due`.
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

    /// An instant before which the lead of no occurrence after `instant` is due.
    func earliestDue(ofOccurrencesAfter instant: Timestamp) -> Timestamp {
        due(of: instant).advanced(by: .zero - Self.slack)
    }

    /// Whether the lead of an occurrence, or of a later one, may be due at or before `instant`.
    func mayBeDue(by instant: Timestamp, from occurrence: Timestamp) -> Bool {
        earliestDue(ofOccurrencesAfter: occurrence) <= instant
    }

    private var isExact: Bool { lead.months == 0 && lead.days == 0 }

    /// The occurrence of which the lead is due at `instant`, to within the slack.
    private func opposite(of instant: Timestamp) -> Timestamp {
        zone.instant(lead, side == .before ? .after : .before, of: instant)
    }

    /// An instant such that no occurrence at or before it is due after `cursor`.
    private func start(near cursor: Timestamp) -> Timestamp { zone.searchStart(for: lead, side, after: cursor) }

    /// The next occurrence, past those of the same day whose lead is not due after `target`; nil: past all of them.
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
