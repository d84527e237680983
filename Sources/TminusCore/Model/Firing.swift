/// Which action of a definition came due.
public enum FiringAction: Sendable, Hashable {
    /// The action at the occurrence.
    case expiry
    /// An action some lead time before or after it.
    case reminder(CalendarSpan, Reminder.Side)

    /// The stored form: `expiry`, `before:P1D`, `after:PT10M`.
    public var rawValue: String {
        switch self {
        case .expiry: "expiry"
        case .reminder(let lead, let side): "\(side.rawValue):\(lead.iso8601)"
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
    /// To whom.
    public var sinks: [SinkKey]
    /// When the first attempt may be made, for what was missed; nil: at once.
    public var notBefore: Timestamp?

    /// A firing with all its fields.
    public init(
        definition: DefinitionID, occurrence: Timestamp, action: FiringAction, due: Timestamp, payload: Payload,
        sinks: [SinkKey], notBefore: Timestamp? = nil
    ) {
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.due = due
        self.payload = payload
        self.sinks = sinks
        self.notBefore = notBefore
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

    /// A record of `count` omitted firings.
    public init(
        definition: DefinitionID, occurrence: Timestamp, action: FiringAction, due: Timestamp, reason: Reason,
        count: Int = 1
    ) {
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.due = due
        self.reason = reason
        self.count = count
    }
}
