/// The occurrences of an event that a definition or an edit keeps from being sent: those that were past when they were
/// defined, and those that an edit removed before they came. They are recorded once, in a bounded number of records.
struct EditOmissions: Sendable {
    let definition: Definition
    let now: Timestamp

    /// How many removed occurrences are recorded one by one; further ones are counted with the last.
    static let occurrenceLimit = 20
    /// How many records an edit causes at most.
    static let recordLimit = 100
    /// How many past occurrences are searched for reminders after them.
    private static let searchLimit = 10

    /// The past instants of an `at`, with their reminders: one record for each action, which carries the newest.
    ///
    /// - Parameters:
    ///   - former: The definition before an edit, whose own instants are recorded already; nil for none.
    ///   - cursor: Instants up to this one are recorded already.
    func pastWhenDefined(except former: Definition? = nil, after cursor: Timestamp = .distantPast) -> [Omission] {
        guard case .event(let event) = definition.schedule, case .at(let instants, _) = event.trigger else { return [] }
        let known = Set(former?.listedInstants ?? [])
        let expiries = EventProgress(definition: definition, event: event).expiries
        let past = instants.filter { $0 > cursor && !known.contains($0) && expiries.due(of: $0) <= now }.sorted()
        guard let newest = past.last else { return [] }
        var omissions = [
            omission(newest, .expiry, due: expiries.due(of: newest), .pastWhenDefined, count: past.count)
        ]
        for reminder in definition.reminders {
            switch reminder.side {
            case .before:
                let due = definition.zone.instant(reminder.lead, .before, of: newest)
                omissions.append(omission(newest, reminder.action, due: due, .pastWhenDefined, count: past.count))
            case .after:
                let dues = past.suffix(Self.searchLimit).map {
                    (occurrence: $0, due: definition.zone.instant(reminder.lead, .after, of: $0))
                }
                let over = dues.filter { $0.due <= now }
                guard let last = over.last else { continue }
                omissions.append(
                    omission(last.occurrence, reminder.action, due: last.due, .pastWhenDefined, count: over.count))
            }
        }
        return omissions
    }

    /// The coming occurrences of `former` that the definition does not have any more, with their reminders to come: of a
    /// list each, of a rule the next.
    ///
    /// - Parameter note: Which edit removed them.
    func editedAway(from former: Definition, note: String?) -> [Omission] {
        guard former.isEnabled, case .event(let event) = former.schedule else { return [] }
        let coming =
            former.listedInstants.map { $0.filter { $0 > now }.sorted() }
            ?? [event.trigger.next(after: now)]
            .compactMap(\.self)
        let gone = coming.filter { !definition.hasOccurrence(at: $0) }
        let expiries = EventProgress(definition: former, event: event).expiries
        var omissions: [Omission] = []
        for (number, occurrence) in gone.prefix(Self.occurrenceLimit).enumerated() {
            let isLast = number == Self.occurrenceLimit - 1
            omissions.append(
                omission(
                    occurrence, .expiry, due: expiries.due(of: occurrence), .editedAway,
                    count: isLast ? gone.count - number : 1, note: note))
            for reminder in former.reminders {
                let due = former.zone.instant(reminder.lead, reminder.side, of: occurrence)
                guard due > now, omissions.count < Self.recordLimit else { continue }
                omissions.append(omission(occurrence, reminder.action, due: due, .editedAway, note: note))
            }
        }
        return Array(omissions.prefix(Self.recordLimit))
    }

    private func omission(
        _ occurrence: Timestamp, _ action: FiringAction, due: Timestamp, _ reason: Omission.Reason, count: Int = 1,
        note: String? = nil
    ) -> Omission {
        Omission(
            definition: definition.id, occurrence: occurrence, action: action, due: due, reason: reason, count: count,
            note: note)
    }
}

extension Definition {
    /// The instants of an event's `at`; nil for any other schedule.
    fileprivate var listedInstants: [Timestamp]? {
        guard case .event(let event) = schedule, case .at(let instants, _) = event.trigger else { return nil }
        return instants
    }

    /// Whether it is an event with an occurrence at that instant.
    package func hasOccurrence(at instant: Timestamp) -> Bool {
        Withdrawal.Standing.event(self).contains(instant)
    }
}
