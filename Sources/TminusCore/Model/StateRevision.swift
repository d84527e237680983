/// For which schedule a state was computed: its rule and its lead times.
///
/// A state that was stored has both as digests. One that was made since has the definition, from which the digests are computed
/// when something is written or compared: arming a million definitions computes none.
enum StateRevision: Sendable, Hashable {
    /// That of a definition.
    case of(Definition)
    /// That of which these are the digests.
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

    /// Nothing, because equal ones may be of either case, and a digest is dear.
    func hash(into hasher: inout Hasher) {}
}
