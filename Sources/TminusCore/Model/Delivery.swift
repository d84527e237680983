/// A firing addressed to one sink, as passed to the sink for one attempt.
public struct Delivery: Sendable, Hashable {
    /// The id, which is the same for every attempt.
    public var id: DeliveryID
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp
    /// The kind of action, which determines the CloudEvents type.
    public var action: FiringAction.Kind
    /// The sink it is addressed to.
    public var sink: SinkKey
    /// When the action was due.
    public var due: Timestamp
    /// The number of the attempt, from 1.
    public var attempt: Int
    /// The CloudEvents source: `/tminus/<host>`, or `/tminus/<fleet>`.
    public var source: String
    /// The data for the sink.
    public var payload: Payload
    /// The claim under which it is attempted.
    package var claim = Claim()

    /// A delivery with all fields that a sink receives.
    public init(
        id: DeliveryID, definition: DefinitionID, occurrence: Timestamp, action: FiringAction.Kind, sink: SinkKey,
        due: Timestamp, attempt: Int, source: String, payload: Payload
    ) {
        self.id = id
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.sink = sink
        self.due = due
        self.attempt = attempt
        self.source = source
        self.payload = payload
    }

    /// One delivery of a firing, for its first attempt.
    public init(_ firing: Firing, to target: Firing.Target, source: String = "") {
        self.init(
            id: target.delivery, definition: firing.definition, occurrence: firing.occurrence,
            action: firing.action.kind, sink: target.sink, due: firing.due, attempt: 1, source: source,
            payload: firing.payload)
    }
}

extension Delivery {
    /// What the engine needs to know about a claimed delivery, in addition to the data for its sink.
    package struct Claim: Sendable, Hashable {
        /// The token that settles this claim. It does not settle a later claim of the same delivery.
        package var token: String
        /// The number of this attempt, counted since the delivery was written or a user last retried it.
        package var tries: Int
        /// When the delivery was written or last retried by a user: wall time in the store, steady time once the engine has it.
        package var since: Timestamp
        /// When it expires, because it is no longer useful; nil if it does not expire.
        package var expires: Timestamp?
        /// What happens to a later delivery while this one is pending.
        package var overlap: Overlap
        /// The sinks that are notified if it is dead.
        package var onFailure: [SinkKey]

        /// A claim; without arguments, that of a delivery that does not come from a store.
        package init(
            token: String = "", tries: Int = 1, since: Timestamp = .distantPast, expires: Timestamp? = nil,
            overlap: Overlap = .queue, onFailure: [SinkKey] = []
        ) {
            self.token = token
            self.tries = tries
            self.since = since
            self.expires = expires
            self.overlap = overlap
            self.onFailure = onFailure
        }

        /// When retries count from, by the wall clock of a reading, once the engine has the claim.
        package func since(at reading: ClockReading) -> Timestamp { since.advanced(by: reading.setBy) }
    }
}

extension FiringAction {
    /// The kind of an action, as the sink receives it.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// `tminus.reminder`
        case reminder
        /// `tminus.expiry`
        case expiry
        /// `tminus.elapsed`: a stopwatch reached an alert.
        case elapsed
        /// `tminus.failure`: a delivery is dead or has expired.
        case failure
        /// `tminus.missed`: an expiry was due and will not be sent.
        case missed

        /// The CloudEvents type.
        public var eventType: String { "tminus.\(rawValue)" }
    }

    /// The kind, as the sink receives it.
    public var kind: Kind {
        switch self {
        case .expiry, .snoozed: .expiry
        case .elapsed: .elapsed
        case .reminder: .reminder
        case .failure: .failure
        case .missed: .missed
        case .test(let kind, _): kind
        }
    }
}

/// How an attempt ended.
public enum Outcome: Sendable, Hashable {
    /// The sink acknowledged it.
    case delivered
    /// It failed; the next attempt is at the given instant.
    case retry(at: Timestamp, reason: String)
    /// It is dead, for the given reason.
    case dead(reason: String)
    /// It was no longer useful before another attempt was possible. The reason is that of the last failure.
    case expired(reason: String)
    /// It was not sent, because a later occurrence replaced it or it was withdrawn.
    case skipped(reason: String)

    /// Whether another attempt follows.
    package var isRetry: Bool { if case .retry = self { true } else { false } }

    /// The state in which it leaves the delivery, and why.
    package var end: (state: DeliveryState, reason: String?) {
        switch self {
        case .delivered: (.delivered, nil)
        case .retry(_, let reason): (.pending, reason)
        case .dead(let reason): (.dead, reason)
        case .expired(let reason): (.expired, reason)
        case .skipped(let reason): (.skipped, reason)
        }
    }
}

/// Why a sink did not accept a delivery. The sink decides whether another attempt can help.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether another attempt may succeed.
    public var isTransient: Bool
    /// The reason, for display; never contains a secret.
    public var reason: String
    /// The earliest useful time for another attempt, if the receiver named one.
    public var retryAfter: Duration?
    /// The receiver's response, for the history.
    public var report: DeliveryReport

    /// Another attempt may succeed.
    public static func transient(
        _ reason: String, retryAfter: Duration? = nil, report: DeliveryReport = .empty
    ) -> DeliveryError {
        DeliveryError(isTransient: true, reason: reason, retryAfter: retryAfter, report: report)
    }

    /// No attempt will succeed until something is changed.
    public static func permanent(_ reason: String, report: DeliveryReport = .empty) -> DeliveryError {
        DeliveryError(isTransient: false, reason: reason, retryAfter: nil, report: report)
    }

    public var description: String { reason }
}
