import GRDB
import TminusCore

/// Claims deliveries as they are written: they are never looked for, and each is written once instead of twice.
///
/// What waits for the same sinks goes first, and is claimed before. What is left of the room is for what is written.
final class WritingClaims {
    /// What was claimed.
    private(set) var claimed: [ClaimedDelivery]
    private let transaction: Transaction
    private let request: ClaimRequest
    private let now: Timestamp
    private let tokens = ClaimTokens()
    private let insert: QuickStatement
    /// What is left of the room of each sink, and its revision.
    private var sinks: [SinkKey: (room: Int, revision: String)] = [:]
    private var lastNumber: Int64

    /// Claims what waits, as `request` has it at `now`, in the transaction that writes more.
    init(_ request: ClaimRequest, _ transaction: Transaction, now: Timestamp) throws {
        self.request = request
        self.transaction = transaction
        self.now = now
        claimed = try transaction.claim(request, now: now)
        insert = try QuickStatement(DeliveryStatements.insertClaimed, transaction)
        lastNumber = try transaction.value(Int64.self, DeliveryStatements.lastNumber) ?? 0
    }

    /// Whether the next delivery to `sink` can be claimed. What a later occurrence may push aside cannot before it begins.
    func hasRoom(for sink: SinkKey, _ overlap: Overlap) throws -> Bool {
        guard claimed.count < request.limit, overlap == .queue || overlap == .allow else { return false }
        if let known = sinks[sink] { return known.room > 0 }
        let taken = claimed.count { $0.sink == sink }
        let room = (request.room[sink] ?? request.otherRoom) - taken
        let revision = try transaction.value(String.self, SinkStatements.revision, [sink.rawValue]) ?? ""
        sinks[sink] = (room, revision)
        return room > 0
    }

    /// Writes a delivery, claimed, which waits since `next`. One that is written already stays as it is.
    func write(
        _ id: DeliveryID, of firing: Firing, _ number: Int64, to sink: SinkKey, _ overlap: Overlap, next: Timestamp
    )
        throws
    {
        let token = tokens.token(lastNumber + 1, firing: number)
        insert.bind(1, lastNumber + 1)
        insert.bind(2, id.rawValue)
        insert.bind(3, number)
        insert.bind(4, firing.definition.rawValue)
        insert.bind(5, firing.occurrence.nanoseconds)
        insert.bind(6, sink.rawValue)
        insert.bind(7, overlap.rawValue)
        insert.bind(8, now.nanoseconds)
        insert.bind(9, firing.expires?.nanoseconds)
        insert.bind(10, next.nanoseconds)
        insert.bind(11, token)
        insert.bind(12, request.owner)
        insert.bind(13, request.until.nanoseconds)
        guard try insert.run() > 0 else { return }
        lastNumber += 1
        sinks[sink]?.room -= 1
        claimed.append(
            ClaimedDelivery(
                token: token, id: id, definition: firing.definition, occurrence: firing.occurrence,
                action: firing.action.kind, sink: sink, sinkRevision: sinks[sink]?.revision ?? "", due: firing.due,
                attempt: 1, created: now, expires: firing.expires, overlap: overlap, onFailure: firing.onFailure,
                payload: firing.payload))
    }

    /// Takes note of a delivery that was written beside these.
    func wrote(_ number: Int64) { lastNumber = max(lastNumber, number) }
}
