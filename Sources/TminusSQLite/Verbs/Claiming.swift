import FoundationEssentials
import GRDB
import TminusCore

extension Transaction {
    /// Claims what is due: the oldest of each sink with room, then the oldest of all of these.
    func claim(_ request: ClaimRequest, now: Timestamp) throws -> [ClaimedDelivery] {
        guard request.limit > 0 else { return [] }
        var candidates: [(next: Int64, number: Int64)] = []
        let due = try QuickStatement(DeliveryStatements.due, self)
        try forEachWaitingSink { sink in
            let room = min(request.room[SinkKey(sink)] ?? request.otherRoom, request.limit)
            guard room > 0 else { return }
            due.bind(1, sink)
            due.bind(2, now.nanoseconds)
            due.bind(3, Int64(room))
            try due.each { row in candidates.append((try row.number(0), try row.number(1))) }
        }
        candidates.sort { ($0.next, $0.number) < ($1.next, $1.number) }
        let claim = try QuickStatement(DeliveryStatements.claim, self)
        claim.bind(1, now.nanoseconds)
        claim.bind(3, request.owner)
        claim.bind(4, request.until.nanoseconds)
        var batch = try ClaimBatch(self)
        return try candidates.prefix(request.limit).compactMap { candidate in
            let token = batch.tokens.token(candidate.number)
            let claimed = try batch.read(candidate.number, token)
            claim.bind(2, token)
            claim.bind(5, candidate.number)
            try claim.run()
            if claimed == nil { try bury(candidate.number, now: now) }
            return claimed
        }
    }

    /// Gives up a delivery of which so much is unreadable that it cannot be handed out.
    private func bury(_ number: Int64, now: Timestamp) throws {
        try run(
            DeliveryStatements.settle,
            [DeliveryState.dead.rawValue, "its stored firing cannot be read", nil, now.nanoseconds, 1, number])
    }

    /// The earliest `next_attempt` after `instant` of all pending deliveries.
    func nextAttempt(after instant: Timestamp) throws -> Timestamp? {
        var earliest: Int64?
        try forEachWaitingSink { sink in
            guard let next = try value(Int64.self, DeliveryStatements.firstAttempt, [sink, instant.nanoseconds]) else {
                return
            }
            earliest = min(earliest ?? next, next)
        }
        return earliest.map { Timestamp(nanoseconds: $0) }
    }

    /// Walks over the sinks that have pending deliveries: one seek in the index for each, however many wait there.
    private func forEachWaitingSink(_ body: (String) throws -> Void) throws {
        var sink = try value(String.self, DeliveryStatements.firstSink)
        while let current = sink {
            try body(current)
            sink = try value(String.self, DeliveryStatements.nextSink, [current])
        }
    }
}

/// What the claims of one transaction share.
private struct ClaimBatch {
    let tokens = ClaimTokens()
    private let statement: QuickStatement
    private let revision: QuickStatement
    /// Of each firing, once however many sinks get it; nil for one that does not decode.
    private var payloads: [Int64: Payload?] = [:]
    /// Of each sink; empty for one that the store does not know.
    private var revisions: [String: String] = [:]

    init(_ transaction: Transaction) throws {
        statement = try QuickStatement(DeliveryStatements.read, transaction)
        revision = try QuickStatement(SinkStatements.revision, transaction)
    }

    /// A delivery as it is once it is claimed; nil if its definition cannot be one.
    mutating func read(_ number: Int64, _ token: String) throws -> ClaimedDelivery? {
        statement.bind(1, number)
        return try statement.first { row in
            guard let definition = DefinitionID(try row.text(5)) else { return nil }
            let kind = FiringAction.Kind(rawValue: try row.text(7))
            let sink = try row.text(1)
            let payload = try payload(of: try row.number(4), row)
            // Of an unknown kind only the payload is kept back, so that it ends as any other that cannot be read.
            return ClaimedDelivery(
                token: token, id: DeliveryID(rawValue: try row.text(0)), definition: definition,
                occurrence: try row.instant(6), action: kind ?? .expiry, sink: SinkKey(sink),
                sinkRevision: try revision(of: sink), due: try row.instant(8),
                attempt: Int(clamping: try row.number(2)) + 1, tries: Int(clamping: try row.number(10)) + 1,
                created: try row.instant(3), since: try row.instant(11), expires: try row.optionalInstant(12),
                overlap: try row.word(13, Overlap.self), onFailure: keys(try row.optionalText(14)),
                payload: kind == nil ? nil : payload)
        }
    }

    private mutating func payload(of firing: Int64, _ row: QuickRow) throws -> Payload? {
        if let payload = payloads[firing] { return payload }
        let payload = PayloadText.decode(try row.text(9))
        payloads[firing] = .some(payload)
        return payload
    }

    private mutating func revision(of sink: String) throws -> String {
        if let known = revisions[sink] { return known }
        revision.bind(1, sink)
        let found = try revision.first { try $0.text(0) } ?? ""
        revisions[sink] = found
        return found
    }

    /// Keys of sinks as ``PreparedFiring`` writes them; none if they cannot be read.
    private func keys(_ text: String?) -> [SinkKey] {
        guard let text else { return [] }
        return ((try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []).map { SinkKey($0) }
    }
}

/// Tokens of one batch: 128 random bits for the batch, and the number of the delivery, by which it is found again.
struct ClaimTokens {
    private let batch =
        String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)

    /// The token of a claim.
    func token(_ number: Int64) -> String { "\(batch)-\(number)" }

    /// The number of the delivery that a token is for; nil if it is no token.
    static func number(of token: String) -> Int64? {
        token.utf8.lastIndex(of: UInt8(ascii: "-")).flatMap { Int64(token[token.index(after: $0)...]) }
    }
}
