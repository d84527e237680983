/// What happens to occurrences that came due while nobody could act: after downtime, suspend, or a step of the clock.
public enum CatchUp: String, Sendable, Hashable, Codable, CaseIterable {
    /// The newest missed one is sent, marked; the others are recorded.
    case latest
    /// All are sent, marked, but no more than ``limit`` of a definition: the newest. The others are recorded.
    case all
    /// None is sent; they are counted and recorded.
    case none

    /// How many expiries of one definition ``all`` sends at the most.
    public static let limit = 1_000

    /// The time between two deliveries of what was missed: after a long downtime it goes out at 100 a second, so that
    /// whoever receives it is not flooded and what is on time goes first.
    public static let spacing = Duration.milliseconds(10)

    /// The policy of a schedule for which none was chosen.
    public static func standard(for schedule: Definition.Schedule) -> CatchUp {
        switch schedule {
        case .event, .stopwatch: .latest
        case .timer(let timer): timer.repetition == .never ? .latest : .none
        }
    }

    /// How many missed expiries of one definition are sent at the most.
    var expiryLimit: Int {
        switch self {
        case .latest: 1
        case .all: Self.limit
        case .none: 0
        }
    }

    /// Why a missed one is not sent.
    var reasonToDrop: Omission.Reason {
        switch self {
        case .latest: .superseded
        case .all: .overLimit
        case .none: .notCaughtUp
        }
    }
}
