/// What happens to occurrences that came due while nobody could act.
public enum CatchUp: String, Sendable, Hashable, Codable, CaseIterable {
    /// The newest missed one is sent, marked; the others are recorded.
    case latest
    /// None is sent; they are counted and recorded.
    case none
}

extension Definition {
    /// The policy that holds for this definition's occurrences.
    public var catchUp: CatchUp {
        switch schedule {
        case .event: .latest
        case .timer(let timer): timer.repetition == .never ? .latest : .none
        }
    }
}

/// How late is still on time, and how late is still useful.
public struct Lateness: Sendable, Hashable {
    /// Up to this late a firing counts as on time: it is sent whatever the catch-up policy says. It absorbs a stalled disk
    /// or a short stop of the process, and is far below what a person would call missed.
    public var punctual: Duration
    /// Later than this an expiry is recorded as missed. A reminder is useful until its occurrence.
    public var grace: Duration

    /// 5 seconds, and the contract's 7 days.
    public static let standard = Lateness(punctual: .seconds(5), grace: .seconds(7 * 86_400))

    /// These bounds.
    public init(punctual: Duration, grace: Duration) {
        self.punctual = punctual
        self.grace = grace
    }
}
