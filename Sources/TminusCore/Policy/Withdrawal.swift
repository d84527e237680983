/// Undelivered actions that a change of their definition makes pointless. They are recorded as skipped and are never
/// sent, even if the change is undone.
///
/// What each change withdraws:
///
/// | change | a waiting reminder | a waiting expiry, alert or notice of a miss |
/// | --- | --- | --- |
/// | occurrence moved | withdrawn | delivered: it states a fact |
/// | definition removed | withdrawn | delivered |
/// | occurrence skipped | withdrawn, if it is of that occurrence | delivered |
/// | disabled | withdrawn | withdrawn |
/// | muted | withdrawn | withdrawn |
///
/// A test (`fire`) and the notice of a failed delivery are never withdrawn. A running attempt may end, but is not
/// repeated.
public struct Withdrawal: Sendable, Equatable {
    /// What happened to the definition.
    public enum Cause: Sendable, Equatable {
        /// It was removed from the directory.
        case removed
        /// It was disabled.
        case disabled
        /// It was muted.
        case muted
        /// A user skipped this occurrence.
        case skipped(Timestamp)
        /// Its schedule changed: reminders of occurrences that no longer exist are withdrawn.
        case moved(Standing)
    }

    /// The occurrences that a definition has after a change.
    public enum Standing: Sendable, Equatable {
        /// The occurrences of an event.
        case event(Definition)
        /// The end of a timer's running cycle (nil if it does not run), and every end that is past at `now`.
        case timer(deadline: Timestamp?, now: Timestamp)
    }

    /// The definition; nil for all.
    public var definition: DefinitionID?
    /// What happened to it.
    public var cause: Cause

    /// Withdraws the actions that `cause` covers, of `definition` or of all.
    public init(_ definition: DefinitionID?, _ cause: Cause) {
        self.definition = definition
        self.cause = cause
    }

    /// Why an undelivered action is withdrawn, for display; nil if it is not withdrawn.
    ///
    /// - Parameter isTest: Whether a user sent it as a test (`fire`).
    public func reason(for kind: FiringAction.Kind, isTest: Bool, occurrence: Timestamp) -> String? {
        guard !isTest, kind != .failure else { return nil }
        switch cause {
        case .disabled: return Omission.Reason.disabled.words
        case .muted: return Omission.Reason.muted.words
        case .removed: return kind == .reminder ? FixedReason.withdrawnByRemoval.rawValue : nil
        case .skipped(let skipped):
            return kind == .reminder && skipped == occurrence ? FixedReason.withdrawnBySkip.rawValue : nil
        case .moved(let standing):
            return kind == .reminder && !standing.contains(occurrence) ? FixedReason.withdrawnByMove.rawValue : nil
        }
    }
}

extension Withdrawal.Standing {
    /// The occurrences of a definition in that state.
    init(_ definition: Definition, _ state: ScheduleState, now: Timestamp) {
        switch definition.schedule {
        case .event: self = .event(definition)
        case .timer, .stopwatch: self = .timer(deadline: state.deadline, now: now)
        }
    }

    /// Whether the definition has an occurrence at that instant.
    func contains(_ occurrence: Timestamp) -> Bool {
        switch self {
        case .timer(let deadline, let now): occurrence == deadline || occurrence <= now
        case .event(let definition):
            switch definition.schedule {
            case .event(let event):
                event.trigger.next(after: occurrence.advanced(by: .nanoseconds(-1))) == occurrence
            case .timer, .stopwatch: false
            }
        }
    }
}
