/// Persists schedules and the outbox. Each verb is one transaction that keeps these invariants:
///
/// - The cursor of a schedule and the deliveries that it produced are written together or not at all.
/// - A delivery is identified by its id, and writing it twice changes nothing.
/// - A delivery is in one of the states of ``DeliveryState``. A claim has an owner and an end. Only the holder of the
///   claim's token settles it.
/// - The deliveries of one definition to one sink keep their order, as ``Overlap`` defines it.
///
/// Verbs take `now` as an argument: the store reads no clock.
public protocol Store: Sendable {
    /// Moves stored rows that cannot be read out of the way, as far as a start needs them, and returns them. Call it before
    /// any other verb.
    ///
    /// A verb that meets such a row later moves it as well, and is repeated.
    func setAsideDamaged(now: Timestamp) async throws(StoreError) -> [DamagedRow]

    /// The number of rows that were moved out of the way and are kept, as known without asking the store.
    var damagedRows: Int { get }

    /// Returns everything the engine needs to resume after a start.
    func snapshot() async throws(StoreError) -> StoreSnapshot

    /// The hot verb: writes everything that one turn of the engine decided, in one transaction.
    ///
    /// The store applies the parts of a commit in the order in which ``Commit`` declares them. An empty part costs
    /// nothing. Repeating a commit changes nothing: a firing that is already written stays as it is, and a settlement
    /// is ignored if its claim is no longer held.
    ///
    /// A commit with firings, schedules or controls returns when it would survive a power cut. A commit with only
    /// settlements and claims survives the end of the process at once, but survives a power cut only after the next
    /// commit that waits for the disk. If it is lost, deliveries are repeated with the same id.
    ///
    /// After an error of the kind ``StoreError/Kind/uncertain`` the caller must pass the equal commit before any other. The
    /// store then returns the result of the first call if that was written, and writes it now if not.
    func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed

    /// Releases deliveries whose claim is void, so that they can be claimed again. It never releases claims of `owner`.
    ///
    /// For claims of former owners it counts how many consecutive attempts were interrupted by the end of their
    /// process. At ``InterruptedAttempts/limit`` the delivery is dead; otherwise a delivery that ends the process would
    /// end it at every start. The count returns to zero when an attempt ends by itself, or when a user retries the
    /// delivery. A delivery that is one attempt short of the limit is claimed only while no other such delivery of its
    /// sink is, so that the next end of the process shows which of them causes it.
    func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims

    /// Releases deliveries that were written at an instant after `now`, because the clock was set back while no process
    /// ran, and those that went back unattempted.
    func releaseFutureWaits(now: Timestamp) async throws(StoreError)

    /// Returns deliveries with their attempts, newest first.
    func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord]

    /// Returns the ids that begin with the given hexadecimal digits in lower case, newest first and at most `limit`.
    func deliveryIDs(beginningWith digits: String, limit: Int) async throws(StoreError) -> [DeliveryID]

    /// Retries the selected deliveries that are dead or have expired from the beginning. They no longer expire, because a
    /// user wants them. Those that wait for a retry are retried at once; how often and until when they are tried stays.
    /// Discarded ones are retried like dead ones, but only if the filter has their ids. Returns the number of all.
    ///
    /// Without ids, what was attempted after `now` is left alone: a caller that repeats the call with one instant comes to
    /// an end, although deliveries fail again meanwhile.
    func retry(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Int

    /// Discards the selected deliveries, except those that are delivered, skipped or discarded already. The claim of a
    /// discarded delivery is void: its attempt must be cancelled, and its settlement is ignored.
    func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded

    /// Returns the newest `limit` occurrences of a definition before an instant, and how each of them ended, newest
    /// first.
    func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry]

    /// Returns the newest `limit` entries of the history of all definitions that were recorded before an instant, newest
    /// first.
    func recentHistory(before instant: Timestamp, limit: Int) async throws(StoreError) -> [RecentEntry]

    /// Returns, for each of the definitions, how its last action ended that was due at `now`. Definitions without one are
    /// left out.
    func lastOutcomes(
        of definitions: [DefinitionID], now: Timestamp
    ) async throws(StoreError) -> [DefinitionID: HistoryEntry]

    /// Returns how many deliveries are undelivered, by sink and by definition. The cost does not depend on how many are
    /// delivered.
    func standing() async throws(StoreError) -> DeliveryStanding

    /// Returns how many deliveries of a definition, or of all definitions if it is nil, are retried or dead. Definitions without
    /// any are left out. The cost depends on how many are retried or dead, and not on how many wait or are delivered.
    func troubled(_ definition: DefinitionID?) async throws(StoreError) -> [DefinitionID: UndeliveredCount]

    /// Returns the newest `limit` controls before an instant, newest first: those of one definition together with those
    /// of all definitions, or without a definition every control.
    func controls(
        of definition: DefinitionID?, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [ControlRecord]

    /// Returns the kept contents of the directory `root`, without files that are damaged or cannot be read. What was kept for a fleet, which
    /// ``KeptFiles/fleetRoot`` names, is that of any directory: the store was moved.
    func keptFiles(root: String) async throws(StoreError) -> KeptFiles

    /// Replaces the kept content of the files in `changed`, and removes the content of those in `forget`, which are
    /// paths. The contents of other directories stay; what was kept for a fleet becomes that of this directory.
    func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError)

    /// Returns the definitions without a file, by id, without those that cannot be read.
    func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition]

    /// Stores a definition without a file, and replaces the one with the same id.
    func add(_ definition: AdHocDefinition) async throws(StoreError)

    /// Removes definitions without a file, and returns their number.
    func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int

    /// Returns the browsers that are signed in, by digest, without those that cannot be read.
    func sessions() async throws(StoreError) -> [WebSession]

    /// Stores a session, or the level and last use of one that is there.
    func keep(_ session: WebSession) async throws(StoreError)

    /// Removes the sessions with these digests, and returns their number.
    func endSessions(_ digests: [String]) async throws(StoreError) -> Int

    /// Removes everything that is past its retention.
    func prune(_ retention: Retention, now: Timestamp) async throws(StoreError)

    /// Closes the store after the last verb.
    func close() async throws(StoreError)
}

extension Store {
    /// No row can be damaged.
    public func setAsideDamaged(now: Timestamp) async throws(StoreError) -> [DamagedRow] { [] }

    /// None.
    public var damagedRows: Int { 0 }
}

/// An error of the store. The message names the store and the remedy.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. Callers use it to decide whether a retry can help.
    public enum Kind: String, Sendable, Hashable {
        /// The disk is full.
        case full
        /// The store is read-only.
        case readOnly
        /// Another process holds the store.
        case locked
        /// The content is damaged.
        case damaged
        /// A newer tminus wrote the store.
        case tooNew
        /// The format is so old that this tminus cannot read it.
        case tooOld
        /// Whether a commit was written is not known, because the connection was lost meanwhile. Only the same commit again
        /// finds out; see ``Store/commit(_:now:)``.
        case uncertain
        /// Any other error.
        case other
    }

    /// The kind of error.
    public var kind: Kind
    /// The path or address, the problem, and the remedy.
    public var message: String

    /// An error of that kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
