/// Decides which of the actions that came due are sent and which are recorded as omitted.
///
/// What is punctual is sent. Of what was missed while nobody could act, the catch-up policy sends the newest expiry and the
/// newest reminder of an occurrence still to come, or nothing; a punctual one counts as newer. A reminder whose occurrence has
/// passed meanwhile is of no use, nor is an expiry beyond the grace.
struct Triage {
    let definition: Definition
    let lateness: Lateness
    let now: Timestamp
    /// Why nothing is sent at all, for a definition that is disabled or was removed.
    let suppression: Omission.Reason?

    struct Verdict {
        var sent: [(action: DueAction, isCatchUp: Bool)] = []
        var omissions: [Omission] = []
    }

    /// The verdict over actions in the order of their due instants.
    func judge(_ actions: [DueAction]) -> Verdict {
        var verdict = Verdict()
        var hasExpiry = false
        var hasReminder = false
        for action in actions.reversed() {
            let isMissed = action.due.duration(to: now) > lateness.punctual
            let isExpiry = action.action == .expiry
            if let reason = suppression
                ?? (isMissed ? reasonToOmit(action, isSuperseded: isExpiry ? hasExpiry : hasReminder) : nil)
            {
                verdict.omissions.append(omission(action, reason))
                continue
            }
            if isExpiry { hasExpiry = true } else { hasReminder = true }
            verdict.sent.append((action, isMissed))
        }
        verdict.sent.reverse()
        verdict.omissions = Self.merged(verdict.omissions)
        return verdict
    }

    private func reasonToOmit(_ action: DueAction, isSuperseded: Bool) -> Omission.Reason? {
        if case .reminder(_, .before) = action.action, action.occurrence <= now { return .tooLate }
        if action.due.duration(to: now) > lateness.grace { return .tooLate }
        if definition.catchUp == .none { return .notCaughtUp }
        return isSuperseded ? .superseded : nil
    }

    private func omission(_ action: DueAction, _ reason: Omission.Reason) -> Omission {
        Omission(
            definition: definition.id, occurrence: action.occurrence, action: action.action, due: action.due,
            reason: reason)
    }

    /// One record for each action and reason, with their count; it carries the newest instants.
    private static func merged(_ omissions: [Omission]) -> [Omission] {
        var result: [Omission] = []
        for omission in omissions {
            if let index = result.firstIndex(where: { $0.action == omission.action && $0.reason == omission.reason }) {
                result[index].count += omission.count
            } else {
                result.append(omission)
            }
        }
        return result.reversed()
    }
}
