/// The rule and the lead times that a state belongs to.
///
/// A state from the store has the digests of both. A new state has the definition, and the digests are computed only
/// when they are written or compared. So arming a million definitions computes no digest.
enum StateRevision: Sendable, Hashable {
    /// The rule and the lead times of a definition.
    case of(Definition)
    /// The digests of the rule and the lead times.
    indirect case stored(fingerprint: String, leads: String)

    /// The digest of the rule that yields occurrences.
    var fingerprint: String {
        switch self {
        case .of(let definition): ScheduleRevision(definition).fingerprint
        case .stored(let fingerprint, _): fingerprint
        }
    }

    /// The digest of the lead times.
    var leads: String {
        switch self {
        case .of(let definition): ScheduleRevision(definition).leads
        case .stored(_, let leads): leads
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        if case .of(let one) = left, case .of(let other) = right, one.isSame(as: other) { return true }
        return left.fingerprint == right.fingerprint && left.leads == right.leads
    }

    /// Hashes nothing: equal values may have different cases, and a digest is expensive.
    func hash(into hasher: inout Hasher) {}
}
