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
    /// One that is to be written.
    private struct Row {
        let number: Int64
        let id: String
        let firing: Int64
        let next: Timestamp
        let room: Room
        let claimed: ClaimedDelivery
    }

    /// What was claimed, but for what is not written yet (``flush()``).
    private(set) var claimed: [ClaimedDelivery]
    private let transaction: Transaction
    private let request: ClaimRequest
    private let now: Timestamp
    private let tokens = ClaimTokens()
    private let insert: GroupedStatement
    /// The sinks that were asked for.
    private var sinks: [SinkKey: Room] = [:]
    private var lastNumber: Int64
    /// Fewer than make a group.
    private var rows: [Row] = []

    /// Claims what waits, as `request` has it at `now`, in the transaction that writes more.
    init(_ request: ClaimRequest, _ transaction: Transaction, now: Timestamp) throws {
        self.request = request
        self.transaction = transaction
        self.now = now
        claimed = try transaction.claim(request, now: now)
        insert = try GroupedStatement(DeliveryStatements.insertClaimed, transaction)
        lastNumber = try transaction.value(Int64.self, DeliveryStatements.lastNumber) ?? 0
    }

    /// Writes a delivery, claimed, which waits since `next`, if there is room for it; false if not. One that is written already stays
    /// as it is. What a later occurrence may push aside cannot be claimed before it begins.
    func write(
        _ id: (id: DeliveryID, text: String), of firing: Firing, _ number: Int64, to sink: SinkKey, _ overlap: Overlap,
        next: Timestamp
    ) throws -> Bool {
        guard claimed.count + rows.count < request.limit, overlap == .queue || overlap == .allow else { return false }
        let room = try room(of: sink)
        guard room.left > 0 else { return false }
        lastNumber += 1
        room.left -= 1
        let claim = ClaimedDelivery(
            token: tokens.token(lastNumber, firing: number), id: id.id, definition: firing.definition,
            occurrence: firing.occurrence, action: firing.action.kind, sink: sink, sinkRevision: room.revision,
            due: firing.due, attempt: 1, created: now, expires: firing.expires, overlap: overlap,
            onFailure: firing.onFailure, payload: firing.payload)
        rows.append(
            Row(number: lastNumber, id: id.text, firing: number, next: next, room: room, claimed: claim))
        if rows.count == GroupedText.size { try flush() }
        return true
    }

    /// Writes what is not written yet if it has a delivery of that definition to that sink, which the next one may have to wait for.
    func flush(before definition: DefinitionID, _ sink: SinkKey) throws {
        if rows.contains(where: { $0.claimed.definition == definition && $0.claimed.sink == sink }) { try flush() }
    }

    /// Writes what is not written yet.
    func flush() throws {
        guard !rows.isEmpty else { return }
        let changed = try insert.run(rows.indices) { row, statement, before in bind(rows[row], statement, before) }
        for row in rows {
            // Of a group of which some were there already nobody says which.
            if try changed == rows.count || isWritten(row) {
                claimed.append(row.claimed)
            } else {
                row.room.left += 1
            }
        }
        rows.removeAll(keepingCapacity: true)
    }

    private func bind(_ row: Row, _ statement: QuickStatement, _ before: CInt) {
        statement.bind(before + 1, row.number)
        statement.bind(before + 2, row.id)
        statement.bind(before + 3, row.firing)
        statement.bind(before + 4, row.claimed.definition.rawValue)
        statement.bind(before + 5, row.claimed.occurrence.nanoseconds)
        statement.bind(before + 6, row.claimed.sink.rawValue)
        statement.bind(before + 7, row.claimed.overlap.rawValue)
        statement.bind(before + 8, now.nanoseconds)
        statement.bind(before + 9, row.claimed.expires?.nanoseconds)
        statement.bind(before + 10, row.next.nanoseconds)
        statement.bind(before + 11, row.claimed.token)
        statement.bind(before + 12, request.owner)
        statement.bind(before + 13, request.until.nanoseconds)
    }

    private func isWritten(_ row: Row) throws -> Bool {
        try transaction.value(Int64.self, DeliveryStatements.isWritten, [row.number, row.id]) != nil
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
