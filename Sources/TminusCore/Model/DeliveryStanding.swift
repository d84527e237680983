/// The undelivered part of the outbox at one instant, as counts. What was delivered, skipped, expired or discarded is
/// not part of it.
public struct DeliveryStanding: Sendable, Hashable {
    /// The sinks with undelivered deliveries, by key.
    public var sinks: [SinkStanding]
    /// The definitions with deliveries that are retried or dead.
    public var troubled: [DefinitionID: UndeliveredCount]

    /// The given counts.
    public init(sinks: [SinkStanding] = [], troubled: [DefinitionID: UndeliveredCount] = [:]) {
        self.sinks = sinks
        self.troubled = troubled
    }
}

/// The number of deliveries that are retried or dead.
public struct UndeliveredCount: Sendable, Hashable {
    /// Deliveries that were attempted without success, and wait for another attempt.
    public var retrying: Int
    /// The instant of the next attempt of any of them; nil if there are none.
    public var nextAttempt: Timestamp?
    /// Dead deliveries, which no user has retried or discarded.
    public var dead: Int
    /// When the oldest of them died; nil if there are none.
    public var oldestDead: Timestamp?

    /// The given counts, none by default.
    public init(retrying: Int = 0, nextAttempt: Timestamp? = nil, dead: Int = 0, oldestDead: Timestamp? = nil) {
        self.retrying = retrying
        self.nextAttempt = nextAttempt
        self.dead = dead
        self.oldestDead = oldestDead
    }

    /// Adds `count` deliveries that are retried, the first of them at `next`.
    public mutating func add(retrying count: Int, next: Timestamp) {
        retrying += count
        nextAttempt = min(nextAttempt ?? next, next)
    }

    /// Adds `count` dead deliveries. The oldest died at `oldest`.
    public mutating func add(dead count: Int, oldest: Timestamp) {
        dead += count
        oldestDead = min(oldestDead ?? oldest, oldest)
    }
}

/// The undelivered deliveries to one sink.
public struct SinkStanding: Sendable, Hashable {
    /// The sink.
    public var sink: SinkKey
    /// The title of the sink, for display.
    public var title: String
    /// Whether its deliveries wait for the sink, because no file declares it at present.
    public var isAwaited: Bool
    /// The labels that a machine must have to make its deliveries; empty if it needs none.
    public var labels: Set<MachineLabel>
    /// Deliveries that wait for their first attempt, or for the end of an earlier delivery.
    public var waiting: Int
    /// The instant of the next attempt, possibly past, of any delivery that does not wait for another; nil if there is none.
    public var nextAttempt: Timestamp?
    /// Deliveries that are being attempted.
    public var running: Int
    /// Deliveries that are retried or dead.
    public var undelivered: UndeliveredCount

    /// The given counts, none by default.
    public init(
        sink: SinkKey, title: String? = nil, isAwaited: Bool = false, labels: Set<MachineLabel> = [],
        waiting: Int = 0, nextAttempt: Timestamp? = nil, running: Int = 0,
        undelivered: UndeliveredCount = UndeliveredCount()
    ) {
        self.sink = sink
        self.title = title ?? sink.rawValue
        self.isAwaited = isAwaited
        self.labels = labels
        self.waiting = waiting
        self.nextAttempt = nextAttempt
        self.running = running
        self.undelivered = undelivered
    }
}
