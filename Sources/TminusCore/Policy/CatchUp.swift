/// How occurrences are handled that were missed because of downtime, suspend, or a clock step.
public enum CatchUp: String, Sendable, Hashable, Codable, CaseIterable {
    /// Sends the newest missed one, marked as late, and records the others.
    case latest
    /// Sends all, marked as late, but at most the newest ``limit`` of a definition, and records the others.
    case all
    /// Sends none; counts and records them.
    case none

    /// The maximum number of expiries of one definition that ``all`` sends.
    public static let limit = 1_000

    /// The time between two deliveries of missed occurrences. At 100 a second, a receiver is not flooded after a long
    /// downtime, and deliveries that are on time go first.
    public static let spacing = Duration.milliseconds(10)

    /// The default policy of a schedule.
    public static func standard(for schedule: Definition.Schedule) -> CatchUp {
        switch schedule {
        case .event, .stopwatch: .latest
        case .timer(let timer): timer.repetition == .never ? .latest : .none
        }
    }

    /// The maximum number of missed expiries of one definition that are sent.
    var expiryLimit: Int {
        switch self {
        case .latest: 1
        case .all: Self.limit
        case .none: 0
        }
    }

    /// Why a missed expiry is not sent.
    var reasonToDrop: Omission.Reason {
        switch self {
        case .latest: .superseded
        case .all: .overLimit
        case .none: .notCaughtUp
        }
    }
}
