/// A firing addressed to one sink, as one attempt hands it over.
public struct Delivery: Sendable, Hashable {
    /// The same on every attempt.
    public var id: DeliveryID
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp
    /// Which action; gives the CloudEvents type.
    public var action: FiringAction.Kind
    /// The sink it is addressed to.
    public var sink: SinkKey
    /// When the action was due.
    public var due: Timestamp
    /// 1 on the first attempt.
    public var attempt: Int
    /// The CloudEvents source: `/tminus/<host>`.
    public var source: String
    /// What the sink is told.
    public var payload: Payload
    /// The claim under which it is attempted.
    package var claim = Claim()

    /// A delivery with all that a sink sees of it.
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

    /// One delivery of a firing, at its first attempt.
    public init(_ firing: Firing, to target: Firing.Target, source: String = "") {
        self.init(
            id: target.delivery, definition: firing.definition, occurrence: firing.occurrence,
            action: firing.action.kind, sink: target.sink, due: firing.due, attempt: 1, source: source,
            payload: firing.payload)
    }
}

extension Delivery {
    /// What the engine has to know of a claimed delivery beside what its sink is told.
    package struct Claim: Sendable, Hashable {
        /// Settles this claim and no later one of the same delivery.
        package var token: String
        /// The attempt, counted since a person last asked for the delivery.
        package var tries: Int
        /// When the delivery was written, or a person last asked for it.
        package var since: Timestamp
        /// From when on it is of no more use; nil: never.
        package var expires: Timestamp?
        /// What becomes of a later one while this one is not over.
        package var overlap: Overlap
        /// Which sinks are told that it was given up.
        package var onFailure: [SinkKey]

        /// A claim; without arguments that of a delivery that no store handed out.
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
    }
}

extension FiringAction {
    /// What a sink is told of an action.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// `tminus.reminder`
        case reminder
        /// `tminus.expiry`
        case expiry
        /// `tminus.elapsed`: a stopwatch has run for some time.
        case elapsed
        /// `tminus.failure`: a delivery was given up.
        case failure
        /// `tminus.missed`: an expiry was due and is not sent.
        case missed

        /// The CloudEvents type.
        public var eventType: String { "tminus.\(rawValue)" }
    }

    /// What a sink is told of it.
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

/// How an attempt ended, as the dispatcher records it.
public enum Outcome: Sendable, Hashable {
    /// The sink has it.
    case delivered
    /// Not this time; the next attempt is at that instant.
    case retry(at: Timestamp, reason: String)
    /// Given up, with the reason.
    case dead(reason: String)
    /// Of no more use before another attempt could be made; with the reason why it was not delivered before.
    case expired(reason: String)
    /// Not sent: a later occurrence took its place, or it was withdrawn.
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

/// Why a sink did not take a delivery. Whether another attempt can help is decided here, at the source.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether another attempt may succeed.
    public var isTransient: Bool
    /// For people; never holds a secret.
    public var reason: String
    /// The earliest useful time of another attempt, where the other end said so.
    public var retryAfter: Duration?
    /// What the other end said, for the history.
    public var report: DeliveryReport

    /// Another attempt may succeed.
    public static func transient(
        _ reason: String, retryAfter: Duration? = nil, report: DeliveryReport = .empty
    ) -> DeliveryError {
        DeliveryError(isTransient: true, reason: reason, retryAfter: retryAfter, report: report)
    }

    /// No attempt will succeed until somebody changes something.
    public static func permanent(_ reason: String, report: DeliveryReport = .empty) -> DeliveryError {
        DeliveryError(isTransient: false, reason: reason, retryAfter: nil, report: report)
    }

    public var description: String { reason }
}
