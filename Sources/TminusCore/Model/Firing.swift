/// Which action of a definition came due.
public enum FiringAction: Sendable, Hashable {
    /// The action at the occurrence.
    case expiry
    /// An action some lead time before or after it.
    case reminder(CalendarSpan, Reminder.Side)
    /// The expiry of an occurrence that a person had sent again, or later, at that instant.
    case snoozed(until: Timestamp)
    /// The alert of a stopwatch at that time of it.
    case elapsed(Duration)
    /// What is told when a delivery was given up at that attempt.
    case failure(of: DeliveryID, attempt: Int)
    /// What is told when an expiry is not sent.
    case missed(Omission.Reason)
    /// What a person has sent to try it, at that instant.
    case test(of: Kind, at: Timestamp)

    /// The stored form: `expiry`, `before:P1D`, `after:PT10M`, `snoozed:<instant>`, `elapsed:PT30M`,
    /// `failure:<delivery>:3`, `missed:too-late`, `test:<instant>`.
    public var rawValue: String {
        switch self {
        case .expiry: "expiry"
        case .reminder(let lead, let side): "\(side.rawValue):\(lead.iso8601)"
        case .snoozed(let until): "snoozed:\(until.rfc3339)"
        case .elapsed(let time): "elapsed:\(CalendarSpan(nanoseconds: time.nanoseconds).iso8601)"
        case .failure(let delivery, let attempt): "failure:\(delivery):\(attempt)"
        case .missed(let reason): "missed:\(reason.rawValue)"
        case .test(_, let instant): "test:\(instant.rfc3339)"
        }
    }

    /// For people: `expiry`, `1 day before`, `snoozed expiry`, `at 30 minutes`, `failure`, `missed`, `test`.
    package var words: String {
        switch self {
        case .expiry: "expiry"
        case .reminder(let lead, let side): "\(lead.text) \(side.rawValue)"
        case .snoozed: "snoozed expiry"
        case .elapsed(let time): "at \(CalendarSpan(nanoseconds: time.nanoseconds).text)"
        case .failure: "failure"
        case .missed: "missed"
        case .test: "test"
        }
    }
}

/// A reminder or an expiry that came due, with everything that its sinks will be told.
public struct Firing: Sendable, Hashable {
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence; with the definition and the action it identifies the firing.
    public var occurrence: Timestamp
    /// Which action.
    public var action: FiringAction
    /// The instant at which the action was due.
    public var due: Timestamp
    /// What the sinks are told.
    public var payload: Payload
    /// Its deliveries: one for each sink.
    public var targets: [Target]
    /// When the first attempt may be made, for what was missed; nil: at once.
    public var notBefore: Timestamp?
    /// From when on a delivery is of no more use; nil: never.
    public var expires: Timestamp?
    /// Which sinks are told that a delivery was given up.
    public var onFailure: [SinkKey]

    /// One delivery of a firing.
    public struct Target: Sendable, Hashable {
        /// The sink.
        public var sink: SinkKey
        /// The id of the delivery.
        public var delivery: DeliveryID
        /// What becomes of the delivery while an earlier one to the same sink is not over.
        public var overlap: Overlap
    }

    /// The sinks that get it.
    public var sinks: [SinkKey] { targets.map(\.sink) }

    /// A firing with all its fields. `overlaps`: ``Overlap/queue`` for a sink that is not named.
    public init(
        definition: DefinitionID, occurrence: Timestamp, action: FiringAction, due: Timestamp, payload: Payload,
        sinks: [SinkKey], notBefore: Timestamp? = nil, expires: Timestamp? = nil, overlaps: [SinkKey: Overlap] = [:],
        onFailure: [SinkKey] = []
    ) {
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.due = due
        self.payload = payload
        targets = sinks.map { sink in
            Target(
                sink: sink,
                delivery: DeliveryID(definition: definition, occurrence: occurrence, action: action, sink: sink),
                overlap: overlaps[sink] ?? .queue)
        }
        self.notBefore = notBefore
        self.expires = expires
        self.onFailure = onFailure
    }
}

/// Firings that were due and will not be sent, with the reason.
public struct Omission: Sendable, Hashable {
    /// Why.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// A newer one of the same definition is sent in their place (catch-up `latest`).
        case superseded
        /// There were more than catch-up `all` sends.
        case overLimit = "over-limit"
        /// The catch-up policy of the definition is `none`.
        case notCaughtUp = "not-caught-up"
        /// Later than the grace allows.
        case tooLate = "too-late"
        /// The instant was past when the definition was first seen or edited.
        case pastWhenDefined = "past-when-defined"
        /// The definition was disabled.
        case disabled
        /// The definition was removed from the directory.
        case removed
        /// A person wanted nothing sent until some instant.
        case muted
        /// A person wanted nothing sent of this occurrence.
        case skipped = "skipped-by-person"
        /// A person wanted it sent later; then it is another firing.
        case snoozed

        /// Whether somebody who counts on the expiry has to be told: it was due, and nothing is sent in its place.
        public var isMiss: Bool {
            switch self {
            case .tooLate, .overLimit, .notCaughtUp: true
            case .superseded, .pastWhenDefined, .disabled, .removed, .muted, .skipped, .snoozed: false
            }
        }

        /// In words, behind "because".
        public var words: String {
            switch self {
            case .superseded: "a newer one was sent in its place"
            case .overLimit: "more were missed than are made up for"
            case .notCaughtUp: "what is missed is not made up for (catch-up: none)"
            case .tooLate: "it was too late to be of use"
            case .pastWhenDefined: "its instant was past when it was defined"
            case .disabled: "the definition was disabled"
            case .removed: "the definition had been removed"
            case .muted: "it was muted"
            case .skipped: "it was skipped"
            case .snoozed: "it was snoozed"
            }
        }
    }

    /// The definition.
    public var definition: DefinitionID
    /// The occurrence; of several, the last.
    public var occurrence: Timestamp
    /// Which action.
    public var action: FiringAction
    /// When it was due; of several, the last.
    public var due: Timestamp
    /// Why.
    public var reason: Reason
    /// How many this record stands for.
    public var count: Int
    /// Who wanted it so, and why.
    public var note: String?

    /// A record of `count` omitted firings.
    public init(
        definition: DefinitionID, occurrence: Timestamp, action: FiringAction, due: Timestamp, reason: Reason,
        count: Int = 1, note: String? = nil
    ) {
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.due = due
        self.reason = reason
        self.count = count
        self.note = note
    }
}
