/// Identifies an action of a definition.
public enum FiringAction: Sendable, Hashable {
    /// The action at the occurrence.
    case expiry
    /// An action some lead time before or after it.
    case reminder(CalendarSpan, Reminder.Side)
    /// The expiry of an occurrence that a user snoozed: it is sent later, or again, at the given instant.
    case snoozed(until: Timestamp)
    /// The alert of a stopwatch at the given time.
    case elapsed(Duration)
    /// The notice that a delivery died at the given attempt.
    case failure(of: DeliveryID, attempt: Int)
    /// The notice that an expiry will not be sent.
    case missed(Omission.Reason)
    /// A test that a user sent, at the given instant.
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

    /// The form for display: `expiry`, `1 day before`, `snoozed expiry`, `at 30 minutes`, `failure`, `missed`, `test`.
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

/// A reminder or an expiry that came due, with all data for its sinks.
public struct Firing: Sendable, Hashable {
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence; with the definition and the action it identifies the firing.
    public var occurrence: Timestamp
    /// The action.
    public var action: FiringAction
    /// The instant at which the action was due.
    public var due: Timestamp
    /// The data for the sinks.
    public var payload: Payload
    /// Its deliveries, one per sink.
    public var targets: [Target]
    /// The earliest instant of the first attempt of a missed firing; nil for no limit.
    public var notBefore: Timestamp?
    /// When its deliveries expire, because they are no longer useful; nil if they do not expire.
    public var expires: Timestamp?
    /// The sinks that are notified if a delivery is dead.
    public var onFailure: [SinkKey]

    /// One delivery of a firing.
    public struct Target: Sendable, Hashable {
        /// The sink.
        public var sink: SinkKey
        /// The id of the delivery.
        public var delivery: DeliveryID
        /// What happens to the delivery while an earlier one to the same sink is pending.
        public var overlap: Overlap
    }

    /// The sinks of its deliveries.
    public var sinks: [SinkKey] { targets.map(\.sink) }

    /// A firing with all its fields. For a sink that `overlaps` does not list, ``Overlap/queue`` applies.
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

/// Firings that were due and will not be sent, and the reason.
public struct Omission: Sendable, Hashable {
    /// Why firings are not sent.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// A newer firing of the same definition is sent instead (catch-up `latest`).
        case superseded
        /// There were more than the limit of catch-up `all`.
        case overLimit = "over-limit"
        /// The catch-up policy of the definition is `none`.
        case notCaughtUp = "not-caught-up"
        /// It is later than the grace allows.
        case tooLate = "too-late"
        /// The instant was already past when the definition was first seen or edited.
        case pastWhenDefined = "past-when-defined"
        /// An edit removed the occurrence before it came.
        case editedAway = "edited-away"
        /// The definition was disabled.
        case disabled
        /// The definition was removed from the directory.
        case removed
        /// A user muted the definition.
        case muted
        /// A user skipped the occurrence.
        case skipped = "skipped-by-person"
        /// A user snoozed the occurrence; the later expiry is another firing.
        case snoozed
        /// It was due after a backup and before the store was restored from it, so it may have been sent already.
        case restored

        /// Whether the omission causes a notice: an expiry was due, and nothing is sent instead.
        public var isMiss: Bool {
            switch self {
            case .tooLate, .overLimit, .notCaughtUp: true
            case .superseded, .pastWhenDefined, .editedAway, .disabled, .removed, .muted, .skipped, .snoozed,
                .restored:
                false
            }
        }

        /// The reason in words, to follow "because".
        public var words: String {
            switch self {
            case .superseded: "a newer one was sent in its place"
            case .overLimit: "more were missed than catch-up sends"
            case .notCaughtUp: "missed firings are not sent (catch-up: none)"
            case .tooLate: "it was too late to be useful"
            case .pastWhenDefined: "its instant was past when it was defined"
            case .editedAway: "its occurrence was edited away"
            case .disabled: "the definition was disabled"
            case .removed: "the definition had been removed"
            case .muted: "it was muted"
            case .skipped: "it was skipped"
            case .snoozed: "it was snoozed"
            case .restored: "the store was restored from a copy since then, so it may have been sent already"
            }
        }
    }

    /// The definition.
    public var definition: DefinitionID
    /// The occurrence; the last one if there are several.
    public var occurrence: Timestamp
    /// The action.
    public var action: FiringAction
    /// When it was due; for several, the last time.
    public var due: Timestamp
    /// The reason.
    public var reason: Reason
    /// The number of firings that this record represents.
    public var count: Int
    /// The user who caused it, and the user's reason; or which edit caused it.
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
