/// A reminder of one occurrence, or an alert of a stopwatch, and what became of it or will.
package struct LeadStanding: Sendable, Hashable {
    /// What became of it, or will.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        /// It was delivered.
        case done
        /// A sink did not receive it.
        case failed
        /// It was due, and nothing was sent.
        case missed
        /// It was not meant to be sent: skipped, muted, or past when it was defined.
        case skipped
        /// Its deliveries have not ended.
        case open
        /// It is the next one that is sent.
        case next
        /// It is sent after the next one, or when the timer or stopwatch is started.
        case later
        /// It is to come, and an override prevents that it is sent.
        case muted
        /// Its instant is past, and nothing is recorded of it.
        case past
    }

    /// The action.
    package var action: FiringAction
    /// When it is due; nil while the timer or stopwatch does not run.
    package var due: Timestamp?
    /// What became of it, or will.
    package var status: Status
    /// Why it failed, or is not sent.
    package var reason: String?
    /// Its sinks.
    package var sinks: [SinkKey]

    /// All reminders of the occurrence that `outlook` shows, or all alerts of a stopwatch, in the order of their instants.
    ///
    /// - Parameter history: The recorded ends of that occurrence, and possibly of others.
    package static func all(
        of entry: ScheduleEntry, _ outlook: Outlook, history: [HistoryEntry], now: Timestamp
    ) -> [LeadStanding] {
        let (definition, state) = (entry.definition, entry.state)
        var all: [(lead: LeadStanding, occurrence: Timestamp?)] = []
        switch definition.schedule {
        case .stopwatch(let stopwatch):
            let start = state.phase == .armed ? state.start : nil
            all = stopwatch.alerts.map { time in
                let due = start?.advanced(by: time)
                return (
                    LeadStanding(action: .elapsed(time), due: due, status: .later, sinks: definition.onElapsed), due
                )
            }
        case .event, .timer:
            let occurrence = state.phase == .paused ? nil : outlook.occurrence
            all = definition.reminders.map { reminder in
                let due = occurrence.map { definition.zone.instant(reminder.lead, reminder.side, of: $0) }
                return (
                    LeadStanding(action: reminder.action, due: due, status: .later, sinks: reminder.actions), occurrence
                )
            }
        }
        for index in all.indices {
            guard let occurrence = all[index].occurrence else { continue }
            all[index].lead.judge(occurrence, definition, state, history, now: now)
        }
        var leads = all.map(\.lead)
        // The sort of equal instants is not stable, so the order in the file breaks ties.
        let order = leads.indices.sorted {
            (leads[$0].due ?? .distantFuture, $0) < (leads[$1].due ?? .distantFuture, $1)
        }
        leads = order.map { leads[$0] }
        if let next = leads.firstIndex(where: { $0.status == .later && $0.due != nil }) { leads[next].status = .next }
        return leads
    }

    private mutating func judge(
        _ occurrence: Timestamp, _ definition: Definition, _ state: ScheduleState, _ history: [HistoryEntry],
        now: Timestamp
    ) {
        guard let due else { return }
        let end = history.first { $0.occurrence == occurrence && $0.action == action.rawValue }?.end
        if due <= now, let end {
            switch end {
            case .open: status = .open
            case .delivered: status = .done
            case .failed(let why): (status, reason) = (.failed, why)
            case .missed(let why): (status, reason) = (.missed, why.words)
            case .skipped(let why): (status, reason) = (.skipped, why)
            }
        } else if due <= now {
            status = .past
        } else if !definition.isEnabled {
            (status, reason) = (.muted, Omission.Reason.disabled.words)
        } else {
            let action = DueAction(occurrence: occurrence, action: action, due: due, sinks: [])
            guard let silence = state.overrides.reason(against: action) else { return }
            (status, reason) = (.muted, silence.words)
        }
    }
}
