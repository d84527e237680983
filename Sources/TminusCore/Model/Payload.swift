/// The `data` of the CloudEvent that every sink receives: the same for all sinks of a firing.
public struct Payload: Sendable, Hashable {
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
    public var id: String {
        get { storage.fields.id }
        set { change { $0.id = newValue } }
    }
    /// `event`, `timer` or `stopwatch`.
    public var kind: DefinitionKind {
        get { storage.fields.kind }
        set { change { $0.kind = newValue } }
    }
    /// The definition's name.
    public var name: String {
        get { storage.fields.name }
        set { change { $0.name = newValue } }
    }
    /// The definition's description.
    public var description: String? {
        get { storage.fields.description }
        set { change { $0.description = newValue } }
    }
    /// The definition's labels.
    public var labels: [String: String] {
        get { storage.fields.labels }
        set { change { $0.labels = newValue } }
    }
    /// The instant of the occurrence in RFC 3339, with the offset of `timezone`.
    public var due: String {
        get { storage.fields.due }
        set { change { $0.due = newValue } }
    }
    /// The IANA name of the definition's zone.
    public var timezone: String {
        get { storage.fields.timezone }
        set { change { $0.timezone = newValue } }
    }
    /// The lead time; nil for an expiry.
    public var before: Amount? {
        get { storage.fields.before }
        set { change { $0.before = newValue } }
    }
    /// What is left until the occurrence when the firing was made; negative after it.
    public var remaining: Amount {
        get { storage.fields.remaining }
        set { change { $0.remaining = newValue } }
    }
    /// Of `tminus.elapsed`: for how long the stopwatch had run when this action was due.
    public var elapsed: Amount? {
        get { storage.fields.elapsed }
        set { change { $0.elapsed = newValue } }
    }
    /// When this action was due, in RFC 3339 UTC.
    public var scheduled: String {
        get { storage.fields.scheduled }
        set { change { $0.scheduled = newValue } }
    }
    /// When the firing was made, in RFC 3339 UTC.
    public var fired: String {
        get { storage.fields.fired }
        set { change { $0.fired = newValue } }
    }
    /// Nanoseconds from `scheduled` to `fired`; written in JSON as seconds.
    public var late: Int64 {
        get { storage.fields.late }
        set { change { $0.late = newValue } }
    }
    /// Whether it was missed while nobody could act, and is sent late.
    public var isCatchUp: Bool {
        get { storage.fields.isCatchUp }
        set { change { $0.isCatchUp = newValue } }
    }
    /// Identifies the occurrence: its instant in RFC 3339 UTC.
    public var occurrence: String {
        get { storage.fields.occurrence }
        set { change { $0.occurrence = newValue } }
    }
    /// The text for people.
    public var message: String {
        get { storage.fields.message }
        set { change { $0.message = newValue } }
    }
    /// Of `tminus.failure`: what was given up.
    public var failure: Failure? {
        get { storage.fields.failure }
        set { change { $0.failure = newValue } }
    }
    /// Of `tminus.missed`: what is not sent.
    public var missed: Missed? {
        get { storage.fields.missed }
        set { change { $0.missed = newValue } }
    }
    /// True if a person has it sent to try it; else nil.
    public var isTest: Bool? {
        get { storage.fields.isTest }
        set { change { $0.isTest = newValue } }
    }

    private var storage: Storage

    /// A payload with all its fields.
    public init(
        id: String, kind: DefinitionKind, name: String, description: String?, labels: [String: String], due: String,
        timezone: String, before: Amount?, remaining: Amount, scheduled: String, fired: String, late: Int64,
        isCatchUp: Bool, occurrence: String, message: String, failure: Failure? = nil, missed: Missed? = nil,
        elapsed: Amount? = nil, isTest: Bool? = nil
    ) {
        storage = Storage(
            Fields(
                id: id, kind: kind, name: name, description: description, labels: labels, due: due, timezone: timezone,
                before: before, remaining: remaining, elapsed: elapsed, scheduled: scheduled, fired: fired, late: late,
                isCatchUp: isCatchUp, occurrence: occurrence, message: message, failure: failure, missed: missed,
                isTest: isTest))
    }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = storage.fields
        change(&fields)
        storage = Storage(fields)
    }
}

extension Payload: Codable {
    public init(from decoder: any Decoder) throws { storage = Storage(try Fields(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try storage.fields.encode(to: encoder) }
}

extension Payload {
    private struct Fields: Sendable, Hashable, Codable {
        var id: String
        var kind: DefinitionKind
        var name: String
        var description: String?
        var labels: [String: String]
        var due: String
        var timezone: String
        var before: Amount?
        var remaining: Amount
        var elapsed: Amount?
        var scheduled: String
        var fired: String
        var late: Int64
        var isCatchUp: Bool
        var occurrence: String
        var message: String
        var failure: Failure?
        var missed: Missed?
        var isTest: Bool?
    }

    /// An object, because a payload is large and handed on many times. It never changes.
    private final class Storage: Sendable, Hashable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }

        static func == (left: Storage, right: Storage) -> Bool { left === right || left.fields == right.fields }

        func hash(into hasher: inout Hasher) { hasher.combine(fields) }
    }
}
