/// The `data` of the CloudEvent that every sink receives. It is the same for all sinks of a firing, except for `late`,
/// `remaining` and their words in the message, which belong to the attempt.
public struct Payload: Sendable, Hashable, Codable {
    /// A duration in seconds and in words.
    public struct Amount: Sendable, Hashable, Codable {
        /// The duration in nanoseconds; written in JSON as seconds.
        public var nanoseconds: Int64
        /// The duration in words.
        public var text: String

        /// A duration and the words for it.
        public init(nanoseconds: Int64, text: String) {
            self.nanoseconds = nanoseconds
            self.text = text
        }
    }

    /// A delivery that is dead or has expired.
    public struct Failure: Sendable, Hashable, Codable {
        /// Its id.
        public var delivery: String
        /// The kind of its action, such as `reminder` or `expiry`.
        public var action: FiringAction.Kind
        /// The sink that did not receive it.
        public var sink: String
        /// The reason in words; written in JSON as `message`, with its code as `reason`.
        public var reason: String
        /// The number of attempts.
        public var attempts: Int

        /// A delivery that is dead or has expired.
        public init(delivery: String, action: FiringAction.Kind, sink: String, reason: String, attempts: Int) {
            self.delivery = delivery
            self.action = action
            self.sink = sink
            self.reason = reason
            self.attempts = attempts
        }
    }

    /// Expiries that were due and will not be sent.
    public struct Missed: Sendable, Hashable, Codable {
        /// The recorded reason.
        public var reason: Omission.Reason
        /// The number of expiries.
        public var count: Int

        /// A number of expiries and the reason.
        public init(reason: Omission.Reason, count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    /// The definition's id.
    public var id: String
    /// `event`, `timer` or `stopwatch`.
    public var kind: DefinitionKind
    /// The definition's name.
    public var name: String
    /// The definition's description.
    public var description: String?
    /// The definition's labels.
    public var labels: [String: String]
    /// The instant of the occurrence in RFC 3339, with the offset of `timezone`.
    public var due: String
    /// The IANA name of the definition's zone.
    public var timezone: String
    /// The lead time; nil for an expiry.
    public var before: Amount?
    /// The time left until the occurrence when the attempt started; negative after it.
    public var remaining: Amount
    /// For `tminus.elapsed`: how long the stopwatch had run when this action was due.
    public var elapsed: Amount?
    /// When this action was due.
    public var scheduled: Timestamp
    /// When the firing was created.
    public var fired: Timestamp
    /// Nanoseconds from `scheduled` to the start of the attempt; written in JSON as seconds.
    public var late: Int64
    /// Whether it was missed because of downtime, suspend or a clock step, and is sent late.
    public var isCatchUp: Bool
    /// The instant of the occurrence, which identifies it.
    public var occurrence: Timestamp
    /// The text for display.
    public var message: String
    /// The part of a message before the words of `remaining`; nil for a message without them.
    package var messageBeforeRemaining: String?
    /// For `tminus.failure`: the delivery that is dead or has expired.
    public var failure: Failure?
    /// For `tminus.missed`: the expiries that will not be sent.
    public var missed: Missed?
    /// True for a test that a user sent; otherwise nil.
    public var isTest: Bool?

    /// A payload with all its fields.
    public init(
        id: String, kind: DefinitionKind, name: String, description: String?, labels: [String: String], due: String,
        timezone: String, before: Amount?, remaining: Amount, scheduled: Timestamp, fired: Timestamp, late: Int64,
        isCatchUp: Bool, occurrence: Timestamp, message: String, failure: Failure? = nil, missed: Missed? = nil,
        elapsed: Amount? = nil, isTest: Bool? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.description = description
        self.labels = labels
        self.due = due
        self.timezone = timezone
        self.before = before
        self.remaining = remaining
        self.elapsed = elapsed
        self.scheduled = scheduled
        self.fired = fired
        self.late = late
        self.isCatchUp = isCatchUp
        self.occurrence = occurrence
        self.message = message
        self.failure = failure
        self.missed = missed
        self.isTest = isTest
    }
}
