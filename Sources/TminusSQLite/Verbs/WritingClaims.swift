import GRDB
import TminusCore

/// What is left of the room of a sink.
private final class Room {
    let revision: String
    var left: Int

    init(_ left: Int, of revision: String) { (self.left, self.revision) = (left, revision) }
}

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
    /// The sinks that were asked for.
    private var sinks: [SinkKey: Room] = [:]
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

    /// Writes a delivery, claimed, which waits since `next`, if there is room for it; false if not. One that is written already stays as
    /// it is. What a later occurrence may push aside cannot be claimed before it begins.
    func write(
        _ id: (id: DeliveryID, text: String), of firing: Firing, _ number: Int64, to sink: SinkKey, _ overlap: Overlap,
        next: Timestamp
    ) throws -> Bool {
        guard claimed.count < request.limit, overlap == .queue || overlap == .allow else { return false }
        let room = try room(of: sink)
        guard room.left > 0 else { return false }
        let token = tokens.token(lastNumber + 1, firing: number)
        insert.bind(1, lastNumber + 1)
        insert.bind(2, id.text)
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
        guard try insert.run() > 0 else { return true }
        lastNumber += 1
        room.left -= 1
        claimed.append(
            ClaimedDelivery(
                token: token, id: id.id, definition: firing.definition, occurrence: firing.occurrence,
                action: firing.action.kind, sink: sink, sinkRevision: room.revision, due: firing.due,
                attempt: 1, created: now, expires: firing.expires, overlap: overlap, onFailure: firing.onFailure,
                payload: firing.payload))
        return true
    }

    private func room(of sink: SinkKey) throws -> Room {
        if let known = sinks[sink] { return known }
        let taken = claimed.count { $0.sink == sink }
        let revision = try transaction.value(String.self, SinkStatements.revision, [sink.rawValue]) ?? ""
        let room = Room((request.room[sink] ?? request.otherRoom) - taken, of: revision)
        sinks[sink] = room
        return room
    }

    /// Takes note of a delivery that was written beside these.
    func wrote(_ number: Int64) { lastNumber = max(lastNumber, number) }
}
