import FoundationEssentials
import GRDB
import TminusCore

extension Transaction {
    /// Claims what is due: the oldest of each sink with room, then the oldest of all of these.
    func claim(_ request: ClaimRequest, now: Timestamp) throws -> [ClaimedDelivery] {
        guard request.limit > 0 else { return [] }
        var candidates: [(next: Int64, number: Int64)] = []
        try forEachWaitingSink { sink in
            let room = min(request.room[SinkKey(sink)] ?? request.otherRoom, request.limit)
            guard room > 0 else { return }
            try forEach(DeliveryStatements.due, [sink, now.nanoseconds, room]) { row in
                candidates.append((try row.value(0), try row.value(1)))
            }
        }
        candidates.sort { ($0.next, $0.number) < ($1.next, $1.number) }
        let batch = ClaimTokens()
        var payloads: [Int64: Payload] = [:]
        let decoder = JSONDecoder()
        return try candidates.prefix(request.limit).map { candidate in
            let token = batch.token(candidate.number)
            var claimed: ClaimedDelivery?
            try forEach(DeliveryStatements.read, [candidate.number]) { row in
                let firing: Int64 = try row.value(5)
                let payload = try payloads[firing] ?? payload(row.value(10), of: row.value(0), decoder)
                payloads[firing] = payload
                claimed = ClaimedDelivery(
                    token: token, id: DeliveryID(rawValue: try row.value(0)), definition: try row.definition(6),
                    occurrence: try row.instant(7), action: try row.word(8, FiringAction.Kind.self),
                    sink: SinkKey(try row.value(1)), sinkRevision: try row.value(4) ?? "", due: try row.instant(9),
                    attempt: try row.value(2) &+ 1, created: try row.instant(3), payload: payload)
            }
            try run(
                DeliveryStatements.claim, [token, request.owner, request.until.nanoseconds, candidate.number])
            guard let claimed else { throw UnreadableRow(what: "delivery number \(candidate.number)") }
            return claimed
        }
    }

    /// The earliest `next_attempt` after `instant` of all pending deliveries.
    func nextAttempt(after instant: Timestamp) throws -> Timestamp? {
        var earliest: Int64?
        try forEachWaitingSink { sink in
            guard let next = try value(Int64.self, DeliveryStatements.firstAttempt, [sink, instant.nanoseconds]) else { return }
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

    private func payload(_ text: String, of id: String, _ decoder: JSONDecoder) throws -> Payload {
        do {
            return try decoder.decode(Payload.self, from: Data(text.utf8))
        } catch {
            throw UnreadableRow(what: "the payload of delivery \(id)")
        }
    }
}

/// Tokens of one batch: 128 random bits for the batch, and the number of the delivery in it.
private struct ClaimTokens {
    private let batch =
        String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)

    func token(_ number: Int64) -> String { "\(batch)-\(number)" }
}
