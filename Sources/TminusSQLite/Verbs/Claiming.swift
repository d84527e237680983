import FoundationEssentials
import GRDB
import TminusCore

extension Transaction {
    /// Claims what is due: the oldest of each sink with room, then the oldest of all of these.
    func claim(_ request: ClaimRequest, now: Timestamp) throws -> [ClaimedDelivery] {
        guard request.limit > 0 else { return [] }
        var sinks: [(key: String, room: Int)] = []
        try forEachWaitingSink { sink in
            let room = min(request.room[SinkKey(sink)] ?? request.otherRoom, request.limit)
            if room > 0 { sinks.append((sink, room)) }
        }
        guard !sinks.isEmpty else { return [] }
        let batch = ClaimBatch(try QuickStatement(SinkStatements.revision, self))
        // Of one sink, all that is found is claimed and can be read at once.
        let found = try withoutSuspects(
            sinks.count == 1
                ? try read(sinks[0].key, sinks[0].room, batch, now: now)
                : try read(sinks, request.limit, batch, now: now))
        let claim = try QuickStatement(DeliveryStatements.claim, self)
        claim.bind(1, now.nanoseconds)
        claim.bind(3, request.owner)
        claim.bind(4, request.until.nanoseconds)
        for delivery in found {
            claim.bind(2, delivery.token)
            claim.bind(5, delivery.number)
            try claim.run()
            if delivery.claimed == nil { try bury(delivery.number, now: now) }
        }
        return found.compactMap(\.claimed)
    }

    /// Leaves out all but one suspect (``Store/releaseClaims(_:owner:now:)``) of each sink, and that one too while another is claimed.
    private func withoutSuspects(_ found: [ReadDelivery]) throws -> [ReadDelivery] {
        guard found.contains(where: \.isSuspect) else { return found }
        var sinks: Set<SinkKey> = []
        return try found.filter { delivery in
            guard delivery.isSuspect, let sink = delivery.claimed?.sink else { return true }
            let claimed: StatementArguments = [sink.rawValue, InterruptedAttempts.limit - 1]
            return try sinks.insert(sink).inserted
                && value(Int64.self, DeliveryStatements.claimedOfInterrupted, claimed) == nil
        }
    }

    /// Reads what is due of one sink.
    private func read(_ sink: String, _ room: Int, _ batch: ClaimBatch, now: Timestamp) throws -> [ReadDelivery] {
        var found: [ReadDelivery] = []
        found.reserveCapacity(room)
        let due = try QuickStatement(DeliveryStatements.readDue, self)
        due.bind(1, sink)
        due.bind(2, now.nanoseconds)
        due.bind(3, Int64(room))
        try due.each { row in found.append(try batch.read(row)) }
        return found
    }

    /// Reads what is due longest of several sinks.
    private func read(
        _ sinks: [(key: String, room: Int)], _ limit: Int, _ batch: ClaimBatch, now: Timestamp
    ) throws -> [ReadDelivery] {
        var candidates: [(next: Int64, number: Int64)] = []
        let due = try QuickStatement(DeliveryStatements.due, self)
        for (sink, room) in sinks {
            due.bind(1, sink)
            due.bind(2, now.nanoseconds)
            due.bind(3, Int64(room))
            try due.each { row in candidates.append((try row.number(0), try row.number(1))) }
        }
        candidates.sort { ($0.next, $0.number) < ($1.next, $1.number) }
        let read = try QuickStatement(DeliveryStatements.read, self)
        return try candidates.prefix(limit).compactMap { candidate in
            read.bind(1, candidate.number)
            return try read.first { try batch.read($0) }
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

/// A delivery as it is once it is claimed.
private struct ReadDelivery {
    var number: Int64
    var token: String
    /// Nil if its definition cannot be one.
    var claimed: ClaimedDelivery?
    /// Whether it is one attempt short of being set aside.
    var isSuspect = false
}

/// What the claims of one transaction share.
private final class ClaimBatch {
    private let tokens = ClaimTokens()
    private let revision: QuickStatement
    /// Of each firing, once however many sinks get it; nil for one that does not decode.
    private var payloads: [Int64: Payload?] = [:]
    /// Of each sink; empty for one that the store does not know.
    private var revisions: [String: String] = [:]

    init(_ revision: QuickStatement) { self.revision = revision }

    /// A row with the columns of ``DeliveryStatements/read``.
    func read(_ row: QuickRow) throws -> ReadDelivery {
        let number = try row.number(15)
        let firing = try row.number(4)
        let token = tokens.token(number, firing: firing)
        guard let definition = DefinitionID(try row.text(5)) else {
            return ReadDelivery(number: number, token: token, claimed: nil)
        }
        let kind = FiringAction.Kind(rawValue: try row.text(7))
        let sink = try row.text(1)
        let payload = try payload(of: firing, row)
        // Of an unknown kind only the payload is kept back, so that it ends as any other that cannot be read.
        let claimed = ClaimedDelivery(
            token: token, id: DeliveryID(rawValue: try row.text(0)), definition: definition,
            occurrence: try row.instant(6), action: kind ?? .expiry, sink: SinkKey(sink),
            sinkRevision: try revision(of: sink), due: try row.instant(8),
            attempt: try row.count(2) + 1, tries: try row.count(10) + 1,
            created: try row.instant(3), since: try row.instant(11), expires: try row.optionalInstant(12),
            overlap: try row.word(13, Overlap.self), onFailure: keys(try row.optionalText(14)),
            payload: kind == nil ? nil : payload)
        return ReadDelivery(
            number: number, token: token, claimed: claimed,
            isSuspect: try row.count(16) >= InterruptedAttempts.limit - 1)
    }

    private func payload(of firing: Int64, _ row: QuickRow) throws -> Payload? {
        if let payload = payloads[firing] { return payload }
        let payload = PayloadText.decode(try row.text(9))
        payloads[firing] = .some(payload)
        return payload
    }

    private func revision(of sink: String) throws -> String {
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

/// Tokens of one batch: 128 random bits for the batch, and the numbers of the firing and the delivery, by which they are found again.
struct ClaimTokens {
    private let batch =
        String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)

    /// The token of a claim.
    func token(_ delivery: Int64, firing: Int64) -> String {
        var token = batch
        token.reserveCapacity(batch.utf8.count + 22)
        token += "-"
        token += String(firing)
        token += "-"
        token += String(delivery)
        return token
    }

    /// The numbers that a token is for; nil if it is no token.
    static func numbers(of token: String) -> (firing: Int64, delivery: Int64)? {
        let hyphen = UInt8(ascii: "-")
        guard let last = token.utf8.lastIndex(of: hyphen), let first = token.utf8[..<last].lastIndex(of: hyphen),
            let firing = Int64(token[token.utf8.index(after: first)..<last]),
            let delivery = Int64(token[token.utf8.index(after: last)...])
        else {
            return nil
        }
        return (firing, delivery)
    }
}
