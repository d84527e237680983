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
    /// Everything the engine needs to resume after a start.
    func snapshot() async throws(StoreError) -> StoreSnapshot

    /// The hot verb: writes everything that one turn of the engine decided, in one transaction.
    ///
    /// The parts of a commit are applied in the order in which ``Commit`` declares them. A part that is empty costs nothing.
    /// Repeating a commit changes nothing: a firing that is already written is left alone, and a settlement whose claim is no
    /// longer held is ignored.
    ///
    /// A commit with firings, schedules or controls returns when it survives a power cut. One that only settles and claims survives
    /// the end of the process at once, and a power cut only with the next commit that waits for the disk: what is lost of it
    /// repeats a delivery with the same id.
    func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed

    /// Releases deliveries whose claim is void, to be claimed anew. Never one of `owner`'s own.
    ///
    /// Of former owners it counts the attempts in a row that the end of their process cut off. At ``InterruptedAttempts/limit``
    /// the delivery is dead: else one that ends the process would end it at every start. The count is zero again once an
    /// attempt ends by itself, or a person asks for the delivery. A delivery that is one attempt short of the limit is claimed
    /// only while no other such delivery of its sink is, so that the next end of the process tells which of them causes it.
    func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims

    /// Releases deliveries that were written at an instant after `now`: the clock was set back while no process ran.
    func releaseFutureWaits(now: Timestamp) async throws(StoreError)

    /// Deliveries with their attempts, newest first.
    func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord]

    /// Has dead and expired deliveries tried again from the beginning, and says how many. They do not expire any more: a person
    /// wants them.
    func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int

    /// Discards deliveries that are neither delivered, skipped nor discarded, as far as a filter wants them. A claim of one is void:
    /// its attempt is to be cancelled, and its settlement is ignored.
    func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded

    /// What became of the newest `limit` occurrences of a definition before an instant, newest first.
    func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry]

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
