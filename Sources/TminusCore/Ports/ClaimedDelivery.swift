/// A delivery in the hands of one worker. An object, because it is large and handed on many times. It never changes.
public final class ClaimedDelivery: Sendable, Equatable {
    /// Settles this claim and no later one of the same delivery.
    public let token: String
    /// The delivery's id.
    public var id: DeliveryID {
        switch identity {
        case .stored(let id, _): id
        case .computed: DeliveryID(of: self)
        }
    }
    /// The definition.
    public let definition: DefinitionID
    /// The instant of the occurrence.
    public let occurrence: Timestamp
    /// Reminder or expiry.
    public var action: FiringAction.Kind {
        switch identity {
        case .stored(_, let kind): kind
        case .computed(let action): action.kind
        }
    }
    /// The sink.
    public let sink: SinkKey
    /// The revision of the sink's spec in the store.
    public let sinkRevision: String
    /// When the action was due.
    public let due: Timestamp
    /// 1 on the first attempt.
    public let attempt: Int
    /// As `attempt`, counted since a person last asked for the delivery.
    public let tries: Int
    /// When the delivery was written.
    public let created: Timestamp
    /// When the delivery was written, or a person last asked for it.
    public let since: Timestamp
    /// From when on it is of no more use; nil: never.
    public let expires: Timestamp?
    /// What becomes of a later one while this one is not over.
    public let overlap: Overlap
    /// To whom is told that it was given up.
    public let onFailure: [SinkKey]
    /// What the sink is told; nil if what is stored cannot be read, and then the delivery is to be given up.
    public let payload: Payload?
    private let identity: Identity

    private enum Identity: Sendable {
        case stored(DeliveryID, FiringAction.Kind)
        /// By the action of the firing, when somebody asks.
        case computed(FiringAction)
    }

    /// A claimed delivery with all its fields.
    public init(
        token: String, id: DeliveryID, definition: DefinitionID, occurrence: Timestamp, action: FiringAction.Kind,
        sink: SinkKey, sinkRevision: String, due: Timestamp, attempt: Int, tries: Int? = nil, created: Timestamp,
        since: Timestamp? = nil, expires: Timestamp? = nil, overlap: Overlap = .queue, onFailure: [SinkKey] = [],
        payload: Payload?
    ) {
        self.token = token
        identity = .stored(id, action)
        self.definition = definition
        self.occurrence = occurrence
        self.sink = sink
        self.sinkRevision = sinkRevision
        self.due = due
        self.attempt = attempt
        self.tries = tries ?? attempt
        self.created = created
        self.since = since ?? created
        self.expires = expires
        self.overlap = overlap
        self.onFailure = onFailure
        self.payload = payload
    }

    /// The claimed delivery of a firing, with the id that follows from it.
    package init(
        token: String, of firing: Firing, sink: SinkKey, sinkRevision: String, attempt: Int, tries: Int,
        created: Timestamp, since: Timestamp, expires: Timestamp?, overlap: Overlap
    ) {
        self.token = token
        identity = .computed(firing.action)
        definition = firing.definition
        occurrence = firing.occurrence
        self.sink = sink
        self.sinkRevision = sinkRevision
        due = firing.due
        self.attempt = attempt
        self.tries = tries
        self.created = created
        self.since = since
        self.expires = expires
        self.overlap = overlap
        onFailure = firing.onFailure
        payload = firing.payload
    }

    public static func == (left: ClaimedDelivery, right: ClaimedDelivery) -> Bool {
        (left.token, left.id, left.definition, left.occurrence, left.action, left.sink)
            == (right.token, right.id, right.definition, right.occurrence, right.action, right.sink)
            && (left.sinkRevision, left.due, left.attempt, left.tries, left.created, left.since)
                == (right.sinkRevision, right.due, right.attempt, right.tries, right.created, right.since)
            && (left.expires, left.overlap, left.onFailure, left.payload)
                == (right.expires, right.overlap, right.onFailure, right.payload)
    }
}

extension ClaimedDelivery: DeliverySubject {
    var firingAction: FiringAction {
        guard case .computed(let action) = identity else { preconditionFailure("what has an id has none computed") }
        return action
    }
}
