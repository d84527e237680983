/// One attempt to hand a firing to one sink.
public struct Delivery: Sendable, Hashable {
    /// The same on every attempt.
    public var id: DeliveryID
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

    /// A delivery with all its fields.
    public init(
        id: DeliveryID, action: FiringAction.Kind, sink: SinkKey, due: Timestamp, attempt: Int, source: String,
        payload: Payload
    ) {
        self.id = id
        self.action = action
        self.sink = sink
        self.due = due
        self.attempt = attempt
        self.source = source
        self.payload = payload
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
    /// Not made because of another delivery.
    case skipped(reason: String)
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
