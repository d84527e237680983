/// Which claims are void.
public enum ClaimRelease: Sendable, Hashable {
    /// Those whose end has passed.
    case expired
    /// All but the caller's: right only for who holds the store alone, by a lock.
    case ofFormerOwners
}

/// What became of deliveries whose claims were void.
public struct ReleasedClaims: Sendable, Hashable {
    /// How many wait to be claimed anew.
    public var count: Int
    /// Those that are dead, because the process ended during each of their last attempts.
    public var setAside: [DeliveryRecord]

    /// So many that wait, and those that are dead.
    public init(count: Int = 0, setAside: [DeliveryRecord] = []) {
        self.count = count
        self.setAside = setAside
    }
}

/// When a delivery is set aside because the process ends while it is attempted.
public enum InterruptedAttempts {
    /// After so many attempts in a row.
    public static let limit = 3
    /// Why it is dead.
    public static let reason = "the process ended during each of its last three attempts"
}

/// How long what is over is kept.
public struct Retention: Sendable, Hashable {
    /// State of a definition that was removed from the directory.
    public var removedSchedules: Duration
    /// Settled deliveries, their firings, and omissions.
    public var history: Duration
    /// How many firings of one definition that are over are kept, the newest; dead letters, which somebody has yet to look at,
    /// do not count.
    public var firingsOfOne: Int

    /// The contract's 24 hours for removed definitions; of the history 30 days, and of one definition 1,000 firings.
    public static let standard = Retention(
        removedSchedules: .seconds(86_400), history: .seconds(30 * 86_400), firingsOfOne: 1_000)

    /// These times, and that many firings of one definition.
    public init(removedSchedules: Duration, history: Duration, firingsOfOne: Int = .max) {
        self.removedSchedules = removedSchedules
        self.history = history
        self.firingsOfOne = firingsOfOne
    }
}
