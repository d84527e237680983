/// A delivery as the history shows it.
public struct DeliveryRecord: Sendable, Hashable {
    /// Its id.
    public var id: DeliveryID
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp
    /// Which action, as stored: ``FiringAction/rawValue``.
    public var action: String
    /// The sink.
    public var sink: SinkKey
    /// What people read of the sink.
    public var sinkTitle: String
    /// When the action was due.
    public var due: Timestamp
    /// When it was written.
    public var created: Timestamp
    /// Where it stands.
    public var state: DeliveryState
    /// How many attempts have begun.
    public var attempts: Int
    /// While it is open: the earliest instant of the next attempt.
    public var nextAttempt: Timestamp?
    /// Since when it is over.
    public var settled: Timestamp?
    /// Why it is where it is, of all but what was delivered or not tried yet.
    public var reason: String?
    /// Whether it waits for its sink: a named one that no file declares at present.
    public var waitsForSink: Bool
    /// The last attempts, oldest first; no more than ``keptAttempts``.
    public var log: [AttemptRecord]

    /// How many attempts of one delivery are kept: the last ones.
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
        /// The sink has it.
        case delivered
        /// It failed, and another was to follow.
        case retry
        /// It failed for good.
        case dead
        /// It failed, and before another could follow the delivery was of no more use.
        case expired
        /// It was ended for a later occurrence.
        case skipped
        /// The process that made it ended.
        case interrupted
    }

    /// From 1.
    public var number: Int
    /// When it began.
    public var started: Timestamp
    /// When it ended.
    public var ended: Timestamp
    /// How it ended.
    public var outcome: Outcome
    /// Why, unless it was delivered.
    public var reason: String?
    /// What the other end said.
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

/// Which deliveries are wanted; what is not given does not restrict.
public struct DeliveryFilter: Sendable, Hashable {
    /// With these ids.
    public var ids: [DeliveryID]?
    /// In these states.
    public var states: Set<DeliveryState>?
    /// Of this definition.
    public var definition: DefinitionID?
    /// To this sink.
    public var sink: SinkKey?
    /// How many at the most: the newest.
    public var limit: Int

    /// A filter; without arguments the newest 100.
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

    /// What was given up and nobody has dealt with.
    public static let deadLetters = DeliveryFilter(states: [.dead])
}

/// What a person discarded, and what follows from it.
public struct Discarded: Sendable, Hashable {
    /// The deliveries.
    public var deliveries: [DeliveryID]
    /// The expiries whose last open delivery was discarded, as in ``Committed/endedExpiries``.
    public var endedExpiries: [EndedExpiry]

    /// Discarded deliveries.
    public init(deliveries: [DeliveryID] = [], endedExpiries: [EndedExpiry] = []) {
        self.deliveries = deliveries
        self.endedExpiries = endedExpiries
    }
}
