import GRDB
import TminusCore

/// What is left of the room of a sink.
private final class Room {
    let revision: String
    var left: Int

    init(_ left: Int, of revision: String) { (self.left, self.revision) = (left, revision) }
}

/// What a transaction that wrote deliveries has claimed.
struct ClaimsMade: Sendable {
    /// A delivery that was claimed as it was written.
    fileprivate struct Written: Sendable {
        let token: String
        let firing: PreparedFiring
        /// Which of the firing's sinks.
        let index: Int
        let overlap: Overlap

        var sink: SinkKey { firing.firing.sinks[index] }
        var id: (id: DeliveryID, text: String) { firing.deliveries[index] }
    }

    /// What had waited.
    private let waiting: [ClaimedDelivery]
    private let written: [Written]
    private let revisions: [SinkKey: String]
    private let now: Timestamp

    fileprivate init(_ waiting: [ClaimedDelivery], _ written: [Written], _ revisions: [SinkKey: String], now: Timestamp)
    {
        (self.waiting, self.written, self.revisions, self.now) = (waiting, written, revisions, now)
    }

    /// All of it as it is handed out. It is made after the transaction, during which nobody else can write.
    var deliveries: [ClaimedDelivery] {
        waiting
            + written.map { claim in
                let firing = claim.firing.firing
                return ClaimedDelivery(
                    token: claim.token, id: claim.id.id, definition: firing.definition,
                    occurrence: firing.occurrence, action: firing.action.kind, sink: claim.sink,
                    sinkRevision: revisions[claim.sink] ?? "", due: firing.due, attempt: 1, created: now,
                    expires: firing.expires, overlap: claim.overlap, onFailure: firing.onFailure,
                    payload: firing.payload)
            }
    }
}

/// Claims deliveries as they are written: they are never looked for, and each is written once instead of twice.
///
/// What waits for the same sinks goes first, and is claimed before. What is left of the room is for what is written.
final class WritingClaims {
    /// One that is to be written.
    private struct Row {
        let number: Int64
        let firing: Int64
        let next: Timestamp
        let room: Room
        let claim: ClaimsMade.Written
    }

    private let waiting: [ClaimedDelivery]
    private var written: [ClaimsMade.Written] = []
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
        waiting = try transaction.claim(request, now: now)
        insert = try GroupedStatement(DeliveryStatements.insertClaimed, transaction)
        lastNumber = try transaction.lastNumber(DeliveryStatements.lastNumber)
    }

    /// What was claimed, but for what is not written yet (``flush()``).
    var made: ClaimsMade { ClaimsMade(waiting, written, sinks.mapValues(\.revision), now: now) }

    /// Writes a delivery to one of a firing's sinks, claimed, which waits since `next`, if there is room for it; false if not. One that
    /// is written already stays as it is. What a later occurrence may push aside cannot be claimed before it begins.
    func write(
        _ firing: PreparedFiring, _ number: Int64, to index: Int, _ overlap: Overlap, next: Timestamp
    ) throws -> Bool {
        guard waiting.count + written.count + rows.count < request.limit, overlap == .queue || overlap == .allow else {
            return false
        }
        let room = try room(of: firing.firing.sinks[index])
        guard room.left > 0 else { return false }
        lastNumber += 1
        room.left -= 1
        let token = tokens.token(lastNumber, firing: number)
        rows.append(
            Row(
                number: lastNumber, firing: number, next: next, room: room,
                claim: ClaimsMade.Written(token: token, firing: firing, index: index, overlap: overlap)))
        if rows.count == GroupedText.size { try flush() }
        return true
    }

    /// Writes what is not written yet if it has a delivery of that definition to that sink, which the next one may have to wait for.
    func flush(before definition: DefinitionID, _ sink: SinkKey) throws {
        if rows.contains(where: { $0.claim.firing.firing.definition == definition && $0.claim.sink == sink }) {
            try flush()
        }
    }

    /// Writes what is not written yet.
    func flush() throws {
        guard !rows.isEmpty else { return }
        let changed = try insert.run(rows.indices) { row, statement, before in bind(rows[row], statement, before) }
        for row in rows {
            // Of a group of which some were there already nobody says which.
            if try changed == rows.count || isWritten(row) {
                written.append(row.claim)
            } else {
                row.room.left += 1
            }
        }
        rows.removeAll(keepingCapacity: true)
    }

    private func bind(_ row: Row, _ statement: QuickStatement, _ before: CInt) {
        let prepared = row.claim.firing
        statement.bind(before + 1, row.number)
        statement.bind(before + 2, row.claim.id.text)
        statement.bind(before + 3, row.firing)
        statement.bind(before + 4, prepared.firing.definition.rawValue)
        statement.bind(before + 5, prepared.firing.occurrence.nanoseconds)
        statement.bind(before + 6, row.claim.sink.rawValue)
        statement.bind(before + 7, row.claim.overlap.rawValue)
        statement.bind(before + 8, now.nanoseconds)
        statement.bind(before + 9, prepared.firing.expires?.nanoseconds)
        statement.bind(before + 10, row.next.nanoseconds)
        statement.bind(before + 11, row.claim.token)
        statement.bind(before + 12, request.owner)
        statement.bind(before + 13, request.until.nanoseconds)
    }

    private func isWritten(_ row: Row) throws -> Bool {
        try transaction.value(Int64.self, DeliveryStatements.isWritten, [row.number, row.claim.id.text]) != nil
    }

    private func room(of sink: SinkKey) throws -> Room {
        if let known = sinks[sink] { return known }
        let taken = waiting.count { $0.sink == sink }
        let revision = try transaction.value(String.self, SinkStatements.revision, [sink.rawValue]) ?? ""
        let room = Room((request.room[sink] ?? request.otherRoom) - taken, of: revision)
        sinks[sink] = room
        return room
    }

    /// Takes note of a delivery that was written beside these.
    func wrote(_ number: Int64) { lastNumber = max(lastNumber, number) }
}
