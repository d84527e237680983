/// Where schedules and the outbox survive. A handful of verbs, each one transaction that keeps the invariants:
///
/// - the cursor of a schedule and the deliveries that it produced are written together or not at all;
/// - a delivery is identified by its id, and writing it twice changes nothing;
/// - a delivery is in one of the states of ``DeliveryState``; a claim has an owner and an end; only the holder of the claim's
///   token settles it;
/// - of the deliveries of one definition to one sink the order is kept, as ``Overlap`` says.
///
/// Every verb takes `now`: the store reads no clock.
public protocol Store: Sendable {
    /// Everything a scheduler needs to go on after a start.
    func snapshot() async throws(StoreError) -> StoreSnapshot

    /// Writes the progress of schedules and what it produced. Repeating the same advance changes nothing.
    ///
    /// Returns the expiries that a schedule waits for and of which no delivery is open because all were skipped.
    @discardableResult
    func advance(_ advance: Advance, now: Timestamp) async throws(StoreError) -> [EndedExpiry]

    /// ``advance(_:now:)`` and then, with a request, ``claim(_:now:)``, in one transaction if the store can. What is written may be
    /// handed out without being looked for again, so less may be handed out than there is room for; that waits to be claimed.
    func advance(
        _ advance: Advance, andClaim request: ClaimRequest?, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery])

    /// Hands out deliveries that are due for an attempt, oldest first, within the room that each sink has.
    ///
    /// One that cannot be read is handed out without its payload: it must not keep the others back.
    func claim(_ request: ClaimRequest, now: Timestamp) async throws(StoreError) -> [ClaimedDelivery]

    /// Records how attempts ended, and what followed from it. A settlement whose claim is no longer held is ignored.
    ///
    /// Returns the expiries whose last open delivery was settled by this call, of those that a schedule waits for: it is in phase
    /// `acting`, and its deadline is that occurrence.
    func settle(_ settlements: [Settlement], now: Timestamp) async throws(StoreError) -> [EndedExpiry]

    /// ``settle(_:now:)``, ``claim(_:now:)`` and ``nextAttempt(after:)`` in one transaction: who waits for three would wait behind
    /// the writing of others between them.
    func settle(
        _ settlements: [Settlement], andClaim request: ClaimRequest, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery], next: Timestamp?)

    /// Gives deliveries whose claim is void back to be claimed anew. Never one of `owner`'s own.
    ///
    /// Of former owners it counts the attempts in a row that the end of their process cut off. At ``InterruptedAttempts/limit``
    /// the delivery is dead: else one that ends the process would end it at every start. The count is zero again once an
    /// attempt ends by itself, or a person asks for the delivery. A delivery that is one attempt short of the limit is claimed
    /// only while no other such delivery of its sink is, so that the next end of the process tells which of them causes it.
    func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims

    /// Takes note that the wall clock was set by `step` while deliveries waited: what they wait for moves along. With a `step` of
    /// zero, at a start: what was written later than `now` waits no longer, because the clock was set back since.
    func clockWasSet(by step: Duration, now: Timestamp) async throws(StoreError)

    /// The tokens of claims of `owner` whose place a later occurrence is to take. Deliveries with another overlap than
    /// ``Overlap/replace``, which their sink may have had when they were written, run to their end.
    func replacedClaims(owner: String) async throws(StoreError) -> [String]

    /// Deliveries with their attempts, newest first.
    func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord]

    /// Has dead and expired deliveries tried again from the beginning, and says how many. They do not expire any more: a person
    /// wants them.
    func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int

    /// Puts dead deliveries aside, and says how many.
    func discard(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int

    /// What became of the newest `limit` occurrences of a definition before an instant, newest first.
    func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry]

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

    /// The definitions that were made without a file, by id. One that cannot be read is left out.
    func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition]

    /// Keeps a definition without a file, in the place of the one with its id.
    func add(_ definition: AdHocDefinition) async throws(StoreError)

    /// Removes definitions without a file, and says how many there were.
    func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int

    /// Removes what is past its retention.
    func prune(_ retention: Retention, now: Timestamp) async throws(StoreError)

    /// Closes the store after the last verb.
    func close() async throws(StoreError)
}

extension Store {
    /// Only the first of the two: nothing is handed out.
    public func advance(
        _ advance: Advance, andClaim request: ClaimRequest?, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery]) {
        (try await self.advance(advance, now: now), [])
    }
}

/// The stored progress of all schedules.
public struct StoreSnapshot: Sendable, Equatable {
    /// Of every definition, the removed ones among them.
    public var schedules: [ScheduleState]
    /// Expiries of schedules in phase `acting` that still have an open delivery.
    public var openExpiries: Set<EndedExpiry>
    /// How many stored schedules are left out because they cannot be read. Their definitions begin anew.
    public var unreadable: Int
    /// The silence of everything that was said last and not taken back; it may be over.
    public var mute: Overrides.Mute?

    /// A snapshot.
    public init(
        schedules: [ScheduleState] = [], openExpiries: Set<EndedExpiry> = [], unreadable: Int = 0,
        mute: Overrides.Mute? = nil
    ) {
        self.schedules = schedules
        self.openExpiries = openExpiries
        self.unreadable = unreadable
        self.mute = mute
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
    /// What became of the silence of everything, when that changed.
    public var mute: GeneralMute?

    /// A step of progress.
    public init(
        schedules: [ScheduleState] = [], firings: [Firing] = [], omissions: [Omission] = [], sinks: [SinkSpec]? = nil,
        mute: GeneralMute? = nil
    ) {
        self.schedules = schedules
        self.firings = firings
        self.omissions = omissions
        self.sinks = sinks
        self.mute = mute
    }

    /// Whether there is nothing to write.
    public var isEmpty: Bool {
        schedules.isEmpty && firings.isEmpty && omissions.isEmpty && sinks == nil && mute == nil
    }
}

/// What became of the silence of everything, which reaches what is added while it lasts.
public enum GeneralMute: Sendable, Hashable {
    /// Somebody said so.
    case until(Overrides.Mute)
    /// Somebody took it back.
    case over
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

/// How one claimed attempt ended.
public struct Settlement: Sendable, Hashable {
    /// The claim.
    public var token: String
    /// The delivery.
    public var id: DeliveryID
    /// How it ended.
    public var outcome: Outcome
    /// What the other end said; nil if no attempt was made, and then it does not count as one.
    public var report: DeliveryReport?
    /// When it ended; nil: when it is settled.
    public var ended: Timestamp?
    /// What is to be told because of it.
    public var firings: [Firing]

    /// The end of one attempt.
    public init(
        token: String, id: DeliveryID, outcome: Outcome, report: DeliveryReport? = .empty, ended: Timestamp? = nil,
        firings: [Firing] = []
    ) {
        self.token = token
        self.id = id
        self.outcome = outcome
        self.report = report
        self.ended = ended
        self.firings = firings
    }
}

/// Which claims are void.
public enum ClaimRelease: Sendable, Hashable {
    /// Those whose end has passed.
    case expired
    /// All but the caller's: right only for who holds the store alone, by a lock.
    case ofFormerOwners
}

/// What became of deliveries whose claims were void.
public struct ReleasedClaims: Sendable, Hashable {
    /// How many wait to be claimed anew.
    public var count: Int
    /// Those that are dead, because the process ended during each of their last attempts.
    public var setAside: [DeliveryRecord]

    /// So many that wait, and those that are dead.
    public init(count: Int = 0, setAside: [DeliveryRecord] = []) {
        self.count = count
        self.setAside = setAside
    }
}

/// When a delivery is set aside because the process ends while it is attempted.
public enum InterruptedAttempts {
    /// After so many attempts in a row.
    public static let limit = 3
    /// Why it is dead.
    public static let reason = "the process ended during each of its last three attempts"
}

/// How long what is over is kept.
public struct Retention: Sendable, Hashable {
    /// State of a definition that was removed from the directory.
    public var removedSchedules: Duration
    /// Settled deliveries, their firings, and omissions.
    public var history: Duration
    /// How many firings of one definition that are over are kept, the newest; dead letters, which somebody has yet to look at,
    /// do not count.
    public var firingsOfOne: Int

    /// The contract's 24 hours for removed definitions; of the history 30 days, and of one definition 1,000 firings.
    public static let standard = Retention(
        removedSchedules: .seconds(86_400), history: .seconds(30 * 86_400), firingsOfOne: 1_000)

    /// These times, and that many firings of one definition.
    public init(removedSchedules: Duration, history: Duration, firingsOfOne: Int = .max) {
        self.removedSchedules = removedSchedules
        self.history = history
        self.firingsOfOne = firingsOfOne
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
        /// It was made by a tminus that is so old that nothing reads it.
        case tooOld
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
