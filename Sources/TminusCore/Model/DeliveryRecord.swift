/// A delivery as the history shows it.
public struct DeliveryRecord: Sendable, Hashable {
    /// Its id.
    public var id: DeliveryID
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp
    /// The action in its stored form: ``FiringAction/rawValue``.
    public var action: String
    /// The sink.
    public var sink: SinkKey
    /// The title of the sink, for display.
    public var sinkTitle: String
    /// When the action was due.
    public var due: Timestamp
    /// When the delivery was written.
    public var created: Timestamp
    /// The state of the delivery.
    public var state: DeliveryState
    /// The number of attempts that have started.
    public var attempts: Int
    /// The earliest instant of the next attempt, while the delivery is open.
    public var nextAttempt: Timestamp?
    /// When it ended; nil while it is open.
    public var settled: Timestamp?
    /// The reason for its state; nil if it was delivered or not attempted yet.
    public var reason: String?
    /// Whether it waits for a named sink that no file declares at present.
    public var waitsForSink: Bool
    /// The last attempts, oldest first; no more than ``keptAttempts``.
    public var log: [AttemptRecord]

    /// How many attempts of one delivery are kept.
    public static let keptAttempts = 10

    /// A record with all its fields.
    public init(
        id: DeliveryID, definition: DefinitionID, occurrence: Timestamp, action: String, sink: SinkKey,
        sinkTitle: String? = nil, due: Timestamp, created: Timestamp, state: DeliveryState, attempts: Int,
        nextAttempt: Timestamp?, settled: Timestamp?,
        reason: String?, waitsForSink: Bool = false, log: [AttemptRecord]
    ) {
        self.id = id
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.sink = sink
        self.sinkTitle = sinkTitle ?? sink.rawValue
        self.due = due
        self.created = created
        self.state = state
        self.attempts = attempts
        self.nextAttempt = nextAttempt
        self.settled = settled
        self.reason = reason
        self.waitsForSink = waitsForSink
        self.log = log
    }
}

/// One attempt as the history shows it.
public struct AttemptRecord: Sendable, Hashable {
    /// How an attempt ended.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sink acknowledged it.
        case delivered
        /// It failed, and another attempt was to follow.
        case retry
        /// The delivery is dead.
        case dead
        /// It failed, and the delivery expired before another attempt.
        case expired
        /// A later occurrence replaced it.
        case skipped
        /// The process that made it ended.
        case interrupted
    }

    /// The number of the attempt, from 1.
    public var number: Int
    /// When it started.
    public var started: Timestamp
    /// When it ended.
    public var ended: Timestamp
    /// How it ended.
    public var outcome: Outcome
    /// The reason, unless it was delivered.
    public var reason: String?
    /// The receiver's response.
    public var report: DeliveryReport

    /// A record with all its fields.
    public init(
        number: Int, started: Timestamp, ended: Timestamp, outcome: Outcome, reason: String?, report: DeliveryReport
    ) {
        self.number = number
        self.started = started
        self.ended = ended
        self.outcome = outcome
        self.reason = reason
        self.report = report
    }
}

/// Selects deliveries. A property that is nil does not restrict the selection.
public struct DeliveryFilter: Sendable, Hashable {
    /// With these ids.
    public var ids: [DeliveryID]?
    /// In these states.
    public var states: Set<DeliveryState>?
    /// Of this definition.
    public var definition: DefinitionID?
    /// To this sink.
    public var sink: SinkKey?
    /// The largest number of deliveries; the newest are selected.
    public var limit: Int

    /// A filter; without arguments, the newest 100 deliveries.
    public init(
        ids: [DeliveryID]? = nil, states: Set<DeliveryState>? = nil, definition: DefinitionID? = nil,
        sink: SinkKey? = nil, limit: Int = 100
    ) {
        self.ids = ids
        self.states = states
        self.definition = definition
        self.sink = sink
        self.limit = limit
    }

    /// Dead deliveries, which no user has retried or discarded.
    public static let dead = DeliveryFilter(states: [.dead])
}

/// The deliveries that a user discarded, and the consequences.
public struct Discarded: Sendable, Hashable {
    /// The deliveries.
    public var deliveries: [DeliveryID]
    /// The expiries whose last open delivery was discarded, as in ``Committed/endedExpiries``.
    public var endedExpiries: [EndedExpiry]
    /// How many they are of each sink.
    public var sinks: [SinkKey: Int]

    /// The result of discarding.
    public init(
        deliveries: [DeliveryID] = [], endedExpiries: [EndedExpiry] = [], sinks: [SinkKey: Int] = [:]
    ) {
        self.deliveries = deliveries
        self.sinks = sinks
        self.endedExpiries = endedExpiries
    }
}
