/// The reminders after an occurrence that are still to come when the occurrence itself has passed.
package struct ComingReminders {
    private let walks: [LeadWalk]

    /// The reminders of a trigger; those before an occurrence do not count.
    package init(_ reminders: [(CalendarSpan, Reminder.Side)], of trigger: Trigger, in zone: Zone) {
        walks = reminders.compactMap { lead, side in
            side == .after ? LeadWalk(trigger: trigger, zone: zone, lead: lead, side: side) : nil
        }
    }

    /// Whether any is due after `instant`.
    package func exist(after instant: Timestamp) -> Bool { walks.contains { $0.firstDue(after: instant) != nil } }

    /// The occurrences at or before `instant` that have such a reminder, ascending: at most `limit`, those with the
    /// earliest reminders.
    package func occurrences(upTo instant: Timestamp, limit: Int) -> [Timestamp] {
        var first: [Timestamp: Timestamp] = [:]
        for walk in walks {
            var (cursor, count) = (instant, 0)
            // Leads of later occurrences may be due in between, but only within the slack of the walk.
            for _ in 0..<limit + Self.patience {
                guard count < limit, let due = walk.firstDue(after: cursor), walk.mayBelong(due, upTo: instant) else {
                    break
                }
                walk.forEach(dueAfter: cursor, upTo: due) { occurrence, due in
                    guard occurrence <= instant else { return }
                    first[occurrence] = min(due, first[occurrence] ?? .distantFuture)
                    count += 1
                }
                cursor = due
            }
        }
        return first.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(limit).map(\.key).sorted()
    }

    /// How many due instants of later occurrences are passed over.
    private static let patience = 1_000
}
