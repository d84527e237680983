/// The `data` of the CloudEvent that every sink receives: the same for all sinks of a firing, but for `late`, `remaining` and what
/// the message says of them, which are those of the attempt.
public struct Payload: Sendable, Hashable, Codable {
    /// A length of time, in seconds and in words.
    public struct Amount: Sendable, Hashable, Codable {
        /// Nanoseconds; written in JSON as seconds.
        public var nanoseconds: Int64
        /// In words.
        public var text: String

        /// That many nanoseconds, and the words for them.
        public init(nanoseconds: Int64, text: String) {
            self.nanoseconds = nanoseconds
            self.text = text
        }
    }

    /// A delivery that was given up.
    public struct Failure: Sendable, Hashable, Codable {
        /// Its id.
        public var delivery: String
        /// `reminder` or `expiry`.
        public var action: FiringAction.Kind
        /// The sink that did not get it.
        public var sink: String
        /// Why.
        public var reason: String
        /// How many attempts were made.
        public var attempts: Int

        /// A delivery that was given up.
        public init(delivery: String, action: FiringAction.Kind, sink: String, reason: String, attempts: Int) {
            self.delivery = delivery
            self.action = action
            self.sink = sink
            self.reason = reason
            self.attempts = attempts
        }
    }

    /// Expiries that were due and are not sent.
    public struct Missed: Sendable, Hashable, Codable {
        /// Why, as it is recorded.
        public var reason: Omission.Reason
        /// How many.
        public var count: Int

        /// That many, for that reason.
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
    /// What was left until the occurrence when the attempt began; negative after it.
    public var remaining: Amount
    /// Of `tminus.elapsed`: for how long the stopwatch had run when this action was due.
    public var elapsed: Amount?
    /// When this action was due.
    public var scheduled: Timestamp
    /// When the firing was made.
    public var fired: Timestamp
    /// Nanoseconds from `scheduled` to the begin of the attempt; written in JSON as seconds.
    public var late: Int64
    /// Whether it was missed while nobody could act, and is sent late.
    public var isCatchUp: Bool
    /// The instant of the occurrence, which identifies it.
    public var occurrence: Timestamp
    /// The text for people.
    public var message: String
    /// The beginning of a message that may end with the words of `remaining`; nil for any other message.
    package var messageBeforeRemaining: String?
    /// Of `tminus.failure`: what was given up.
    public var failure: Failure?
    /// Of `tminus.missed`: what is not sent.
    public var missed: Missed?
    /// True if a person has it sent to try it; else nil.
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
