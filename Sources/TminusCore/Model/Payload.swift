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
        get { storage.value.subject.id }
        set { change { $0.subject.texts.id = newValue } }
    }
    /// `event`, `timer` or `stopwatch`.
    public var kind: DefinitionKind {
        get { storage.value.subject.kind }
        set { change { $0.subject.texts.kind = newValue } }
    }
    /// The definition's name.
    public var name: String {
        get { storage.value.subject.name }
        set { change { $0.subject.texts.name = newValue } }
    }
    /// The definition's description.
    public var description: String? {
        get { storage.value.subject.description }
        set { change { $0.subject.texts.description = newValue } }
    }
    /// The definition's labels.
    public var labels: [String: String] {
        get { storage.value.subject.labels }
        set { change { $0.subject.texts.labels = newValue } }
    }
    /// The instant of the occurrence in RFC 3339, with the offset of `timezone`.
    public var due: String {
        get { storage.value.times.value.due }
        set { change { $0.setTimes { $0.due = newValue } } }
    }
    /// The IANA name of the definition's zone.
    public var timezone: String {
        get { storage.value.subject.timezone }
        set { change { $0.subject.texts.timezone = newValue } }
    }
    /// The lead time; nil for an expiry.
    public var before: Amount? {
        get { storage.value.rare?.value.before }
        set { change { $0.setRare { $0.before = newValue } } }
    }
    /// What is left until the occurrence when the firing was made; negative after it.
    public var remaining: Amount {
        get { storage.value.times.value.remaining }
        set { change { $0.setTimes { $0.remaining = newValue } } }
    }
    /// Of `tminus.elapsed`: for how long the stopwatch had run when this action was due.
    public var elapsed: Amount? {
        get { storage.value.rare?.value.elapsed }
        set { change { $0.setRare { $0.elapsed = newValue } } }
    }
    /// When this action was due, in RFC 3339 UTC.
    public var scheduled: String {
        get { storage.value.times.value.scheduled }
        set { change { $0.setTimes { $0.scheduled = newValue } } }
    }
    /// When the firing was made, in RFC 3339 UTC.
    public var fired: String {
        get { storage.value.times.value.fired }
        set { change { $0.setTimes { $0.fired = newValue } } }
    }
    /// Nanoseconds from `scheduled` to `fired`; written in JSON as seconds.
    public var late: Int64 {
        get { storage.value.times.value.late }
        set { change { $0.setTimes { $0.late = newValue } } }
    }
    /// Whether it was missed while nobody could act, and is sent late.
    public var isCatchUp: Bool {
        get { storage.value.isCatchUp }
        set { change { $0.isCatchUp = newValue } }
    }
    /// Identifies the occurrence: its instant in RFC 3339 UTC.
    public var occurrence: String {
        get { storage.value.times.value.occurrence }
        set { change { $0.setTimes { $0.occurrence = newValue } } }
    }
    /// The text for people.
    public var message: String {
        get { storage.value.message }
        set { change { $0.message = newValue } }
    }
    /// Of `tminus.failure`: what was given up.
    public var failure: Failure? {
        get { storage.value.rare?.value.failure }
        set { change { $0.setRare { $0.failure = newValue } } }
    }
    /// Of `tminus.missed`: what is not sent.
    public var missed: Missed? {
        get { storage.value.rare?.value.missed }
        set { change { $0.setRare { $0.missed = newValue } } }
    }
    /// True if a person has it sent to try it; else nil.
    public var isTest: Bool? {
        get { storage.value.rare?.value.isTest }
        set { change { $0.setRare { $0.isTest = newValue } } }
    }

    private var storage: Box<Fields>

    /// A payload with all its fields.
    public init(
        id: String, kind: DefinitionKind, name: String, description: String?, labels: [String: String], due: String,
        timezone: String, before: Amount?, remaining: Amount, scheduled: String, fired: String, late: Int64,
        isCatchUp: Bool, occurrence: String, message: String, failure: Failure? = nil, missed: Missed? = nil,
        elapsed: Amount? = nil, isTest: Bool? = nil
    ) {
        self.init(
            subject: .texts(
                Box(
                    PayloadSubject.Texts(
                        id: id, kind: kind, name: name, description: description, labels: labels, timezone: timezone))),
            times: Box(
                Times(
                    due: due, remaining: remaining, scheduled: scheduled, fired: fired, late: late,
                    occurrence: occurrence)),
            before: before, isCatchUp: isCatchUp, message: message, elapsed: elapsed, failure: failure, missed: missed,
            isTest: isTest)
    }

    /// A payload of a definition that has its instants in common with others.
    init(
        of definition: Definition, times: Box<Times>, before: Amount?, isCatchUp: Bool, message: String,
        elapsed: Amount?
    ) {
        self.init(
            subject: .of(definition), times: times, before: before, isCatchUp: isCatchUp, message: message,
            elapsed: elapsed, failure: nil, missed: nil, isTest: nil)
    }

    private init(
        subject: PayloadSubject, times: Box<Times>, before: Amount?, isCatchUp: Bool, message: String,
        elapsed: Amount?, failure: Failure?, missed: Missed?, isTest: Bool?
    ) {
        storage = Box(
            Fields(
                subject: subject, isCatchUp: isCatchUp, message: message, times: times,
                rare: Rare(before: before, elapsed: elapsed, failure: failure, missed: missed, isTest: isTest).boxed))
    }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = storage.value
        change(&fields)
        storage = Box(fields)
    }
}

extension Payload: Codable {
    private enum CodingKeys: CodingKey {
        case id, kind, name, description, labels, due, timezone, before, remaining, elapsed, scheduled, fired, late
        case isCatchUp, occurrence, message, failure, missed, isTest
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            kind: try container.decode(DefinitionKind.self, forKey: .kind),
            name: try container.decode(String.self, forKey: .name),
            description: try container.decodeIfPresent(String.self, forKey: .description),
            labels: try container.decode([String: String].self, forKey: .labels),
            due: try container.decode(String.self, forKey: .due),
            timezone: try container.decode(String.self, forKey: .timezone),
            before: try container.decodeIfPresent(Amount.self, forKey: .before),
            remaining: try container.decode(Amount.self, forKey: .remaining),
            scheduled: try container.decode(String.self, forKey: .scheduled),
            fired: try container.decode(String.self, forKey: .fired),
            late: try container.decode(Int64.self, forKey: .late),
            isCatchUp: try container.decode(Bool.self, forKey: .isCatchUp),
            occurrence: try container.decode(String.self, forKey: .occurrence),
            message: try container.decode(String.self, forKey: .message),
            failure: try container.decodeIfPresent(Failure.self, forKey: .failure),
            missed: try container.decodeIfPresent(Missed.self, forKey: .missed),
            elapsed: try container.decodeIfPresent(Amount.self, forKey: .elapsed),
            isTest: try container.decodeIfPresent(Bool.self, forKey: .isTest))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encode(labels, forKey: .labels)
        try container.encode(due, forKey: .due)
        try container.encode(timezone, forKey: .timezone)
        try container.encodeIfPresent(before, forKey: .before)
        try container.encode(remaining, forKey: .remaining)
        try container.encodeIfPresent(elapsed, forKey: .elapsed)
        try container.encode(scheduled, forKey: .scheduled)
        try container.encode(fired, forKey: .fired)
        try container.encode(late, forKey: .late)
        try container.encode(isCatchUp, forKey: .isCatchUp)
        try container.encode(occurrence, forKey: .occurrence)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(failure, forKey: .failure)
        try container.encodeIfPresent(missed, forKey: .missed)
        try container.encodeIfPresent(isTest, forKey: .isTest)
    }
}

extension Payload {
    /// The instants of a payload and the words for them: of many that come due at one instant they are the same.
    struct Times: Sendable, Hashable {
        var due: String
        var remaining: Amount
        var scheduled: String
        var fired: String
        var late: Int64
        var occurrence: String
    }

    /// What few payloads have: it is more than half of what one can hold.
    private struct Rare: Sendable, Hashable {
        var before: Amount?
        var elapsed: Amount?
        var failure: Failure?
        var missed: Missed?
        var isTest: Bool?

        /// Nil if none of it is set.
        var boxed: Box<Rare>? {
            before == nil && elapsed == nil && failure == nil && missed == nil && isTest == nil ? nil : Box(self)
        }
    }

    private struct Fields: Sendable, Hashable {
        var subject: PayloadSubject
        var isCatchUp: Bool
        var message: String
        var times: Box<Times>
        var rare: Box<Rare>?

        mutating func setTimes(_ change: (inout Times) -> Void) {
            var value = times.value
            change(&value)
            times = Box(value)
        }

        mutating func setRare(_ change: (inout Rare) -> Void) {
            var value = rare?.value ?? Rare()
            change(&value)
            rare = value.boxed
        }
    }
}
