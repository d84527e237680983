/// Which claims are void.
public enum ClaimRelease: Sendable, Hashable {
    /// Claims that have expired.
    case expired
    /// All claims of other owners. Valid only if the caller has exclusive access to the store, by a lock.
    case ofFormerOwners
}

/// The result of releasing void claims.
public struct ReleasedClaims: Sendable, Hashable {
    /// The number of deliveries that can be claimed again.
    public var count: Int
    /// The deliveries that are dead, because the process ended during each of their last attempts.
    public var setAside: [DeliveryRecord]

    /// A result with these parts.
    public init(count: Int = 0, setAside: [DeliveryRecord] = []) {
        self.count = count
        self.setAside = setAside
    }
}

/// The limit for attempts that the end of the process interrupts.
public enum InterruptedAttempts {
    /// After this many consecutive interrupted attempts a delivery is dead.
    public static let limit = 3
    /// The recorded reason.
    public static let reason = "the process ended during each of its last three attempts"
}

/// How long history and old state are kept.
public struct Retention: Sendable, Hashable {
    /// For the state of a definition that was removed from the directory.
    public var removedSchedules: Duration
    /// For settled deliveries, their firings, and omissions.
    public var history: Duration
    /// How many ended firings of one definition are kept, newest first. Dead deliveries do not count, because users have
    /// yet to handle them.
    public var firingsOfOne: Int

    /// 24 hours for removed definitions; 30 days for the history, and at most 1,000 firings of one definition.
    public static let standard = Retention(
        removedSchedules: .seconds(86_400), history: .seconds(30 * 86_400), firingsOfOne: 1_000)

    /// The given times, and the given number of firings of one definition.
    public init(removedSchedules: Duration, history: Duration, firingsOfOne: Int = .max) {
        self.removedSchedules = removedSchedules
        self.history = history
        self.firingsOfOne = firingsOfOne
    }
}
