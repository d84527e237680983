/// Where schedules and the outbox survive. A handful of verbs, each one transaction that keeps the invariants:
///
/// - the cursor of a schedule and the deliveries that it produced are written together or not at all;
/// - a delivery is identified by its id, and writing it twice changes nothing;
/// - a delivery is pending, claimed, delivered or dead; a claim has an owner and an end; only the holder of the claim's
///   token settles it.
///
/// Every verb takes `now`: the store reads no clock.
public protocol Store: Sendable {
    /// Everything a scheduler needs to go on after a start.
    func snapshot() async throws(StoreError) -> StoreSnapshot

    /// Writes the progress of schedules and what it produced. Repeating the same advance changes nothing.
    func advance(_ advance: Advance, now: Timestamp) async throws(StoreError)

    /// Hands out deliveries that are due for an attempt, oldest first, within the room that each sink has.
    ///
    /// One that cannot be read is handed out without its payload: it must not keep the others back.
    func claim(_ request: ClaimRequest, now: Timestamp) async throws(StoreError) -> [ClaimedDelivery]

    /// Records how attempts ended. A settlement whose claim is no longer held is ignored.
    ///
    /// Returns the expiries whose last open delivery was settled by this call.
    func settle(_ settlements: [Settlement], now: Timestamp) async throws(StoreError) -> [EndedExpiry]

    /// Gives deliveries whose claim is void back to be claimed anew, and says how many. Never one of `owner`'s own.
    func releaseClaims(_ which: ClaimRelease, owner: String, now: Timestamp) async throws(StoreError) -> Int

    /// The earliest instant after `instant` at which a waiting delivery becomes due for an attempt; nil if none will.
    func nextAttempt(after instant: Timestamp) async throws(StoreError) -> Timestamp?

    /// The sink as it was last written, also when no file declares it any more; nil if it cannot be read.
    func sink(_ key: SinkKey) async throws(StoreError) -> SinkSpec?

    /// What is kept of the directory `root`. A file that cannot be read, or is damaged, is left out.
    func keptFiles(root: String) async throws(StoreError) -> KeptFiles

    /// Keeps the content of the files in `changed` in the place of what was kept of them, and nothing of those in `forget`,
    /// which are paths. What is kept of other directories stays.
    func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError)

    /// Removes what is past its retention.
    func prune(_ retention: Retention, now: Timestamp) async throws(StoreError)

    /// Closes the store after the last verb.
    func close() async throws(StoreError)
}

/// The stored progress of all schedules.
public struct StoreSnapshot: Sendable, Equatable {
    /// Of every definition, the removed ones among them.
    public var schedules: [ScheduleState]
    /// Expiries of schedules in phase `acting` that still have an open delivery.
    public var openExpiries: Set<EndedExpiry>
    /// How many stored schedules are left out because they cannot be read. Their definitions begin anew.
    public var unreadable: Int

    /// A snapshot.
    public init(schedules: [ScheduleState] = [], openExpiries: Set<EndedExpiry> = [], unreadable: Int = 0) {
        self.schedules = schedules
        self.openExpiries = openExpiries
        self.unreadable = unreadable
    }
}

/// An expiry, identified for the schedule that waits for its actions.
public struct EndedExpiry: Sendable, Hashable {
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp

    /// The expiry of `definition` at `occurrence`.
    public init(definition: DefinitionID, occurrence: Timestamp) {
        self.definition = definition
        self.occurrence = occurrence
    }
}

/// One step of progress, written in one transaction.
public struct Advance: Sendable, Equatable {
    /// The schedules that changed, whole.
    public var schedules: [ScheduleState]
    /// What came due; one delivery for each sink of each.
    public var firings: [Firing]
    /// What was due and will not be sent.
    public var omissions: [Omission]
    /// All sinks of the live set, when the set changed.
    public var sinks: [SinkSpec]?

    /// A step of progress.
    public init(
        schedules: [ScheduleState] = [], firings: [Firing] = [], omissions: [Omission] = [], sinks: [SinkSpec]? = nil
    ) {
        self.schedules = schedules
        self.firings = firings
        self.omissions = omissions
        self.sinks = sinks
    }

    /// Whether there is nothing to write.
    public var isEmpty: Bool {
        schedules.isEmpty && firings.isEmpty && omissions.isEmpty && sinks == nil
    }
}

/// A wish for work.
public struct ClaimRequest: Sendable, Hashable {
    /// Who claims; names the process.
    public var owner: String
    /// How many at the most.
    public var limit: Int
    /// How many more each sink may take; a sink that is not named may take `otherRoom`.
    public var room: [SinkKey: Int]
    /// How many a sink may take that is not named in `room`.
    public var otherRoom: Int
    /// When the claims end.
    public var until: Timestamp

    /// A wish for up to `limit` deliveries.
    public init(owner: String, limit: Int, room: [SinkKey: Int] = [:], otherRoom: Int, until: Timestamp) {
        self.owner = owner
        self.limit = limit
        self.room = room
        self.otherRoom = otherRoom
        self.until = until
    }
}

/// A delivery in the hands of one worker.
public struct ClaimedDelivery: Sendable, Hashable {
    /// Settles this claim and no later one of the same delivery.
    public var token: String
    /// The delivery's id.
    public var id: DeliveryID
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp
    /// Reminder or expiry.
    public var action: FiringAction.Kind
    /// The sink.
    public var sink: SinkKey
    /// The revision of the sink's spec in the store.
    public var sinkRevision: String
    /// When the action was due.
    public var due: Timestamp
    /// 1 on the first attempt.
    public var attempt: Int
    /// When the delivery was written.
    public var created: Timestamp
    /// What the sink is told; nil if what is stored cannot be read, and then the delivery is to be given up.
    public var payload: Payload?

    /// A claimed delivery with all its fields.
    public init(
        token: String, id: DeliveryID, definition: DefinitionID, occurrence: Timestamp, action: FiringAction.Kind,
        sink: SinkKey, sinkRevision: String, due: Timestamp, attempt: Int, created: Timestamp, payload: Payload?
    ) {
        self.token = token
        self.id = id
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.sink = sink
        self.sinkRevision = sinkRevision
        self.due = due
        self.attempt = attempt
        self.created = created
        self.payload = payload
    }
}

/// How one claimed attempt ended.
public struct Settlement: Sendable, Hashable {
    /// The claim.
    public var token: String
    /// The delivery.
    public var id: DeliveryID
    /// How it ended.
    public var outcome: Outcome

    /// The end of one attempt.
    public init(token: String, id: DeliveryID, outcome: Outcome) {
        self.token = token
        self.id = id
        self.outcome = outcome
    }
}

/// Which claims are void.
public enum ClaimRelease: Sendable, Hashable {
    /// Those whose end has passed.
    case expired
    /// All but the caller's: right only for who holds the store alone, by a lock.
    case ofFormerOwners
}

/// How long what is over is kept.
public struct Retention: Sendable, Hashable {
    /// State of a definition that was removed from the directory.
    public var removedSchedules: Duration
    /// Settled deliveries, their firings, and omissions.
    public var history: Duration

    /// The contract's 24 hours for removed definitions, and 30 days of history.
    public static let standard = Retention(removedSchedules: .seconds(86_400), history: .seconds(30 * 86_400))

    /// These times.
    public init(removedSchedules: Duration, history: Duration) {
        self.removedSchedules = removedSchedules
        self.history = history
    }
}

/// A store that cannot do what it was asked. The message names the store and says what to do.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble, for who decides whether waiting helps.
    public enum Kind: String, Sendable, Hashable {
        /// No room on the disk.
        case full
        /// It may not be written.
        case readOnly
        /// Somebody else holds it.
        case locked
        /// Its content is not what it must be.
        case damaged
        /// It was made by a newer tminus.
        case tooNew
        /// Anything else.
        case other
    }

    /// What kind of trouble.
    public var kind: Kind
    /// The path or address, what is wrong, and what to do.
    public var message: String

    /// An error of that kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
