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
        var payloads = PayloadCache()
        return try candidates.prefix(request.limit).compactMap { candidate in
            let token = batch.token(candidate.number)
            try run(
                DeliveryStatements.claim,
                [now.nanoseconds, token, request.owner, request.until.nanoseconds, candidate.number])
            var claimed: ClaimedDelivery?
            try forEach(DeliveryStatements.read, [candidate.number]) { row in
                claimed = try row.claimed(token, &payloads)
            }
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

extension Row {
    /// A delivery with the columns of ``DeliveryStatements/read``; nil if its definition cannot be one.
    fileprivate func claimed(_ token: String, _ payloads: inout PayloadCache) throws -> ClaimedDelivery? {
        guard let definition = DefinitionID(try value(6)) else { return nil }
        let kind = FiringAction.Kind(rawValue: try value(8))
        let payload = payloads.payload(of: try value(5), try value(10))
        // Of an unknown kind only the payload is kept back, so that it ends as any other that cannot be read.
        return ClaimedDelivery(
            token: token, id: DeliveryID(rawValue: try value(0)), definition: definition, occurrence: try instant(7),
            action: kind ?? .expiry, sink: SinkKey(try value(1)), sinkRevision: try value(4) ?? "", due: try instant(9),
            attempt: try value(2), tries: try value(11), created: try instant(3), since: try instant(12),
            expires: try optionalInstant(13), overlap: try word(14, Overlap.self), onFailure: try keys(15),
            payload: kind == nil ? nil : payload)
    }
}

extension Row {
    /// Keys of sinks as ``PreparedFiring`` writes them; none if they cannot be read.
    fileprivate func keys(_ column: Int) throws -> [SinkKey] {
        guard let text: String = try value(column) else { return [] }
        return ((try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []).map { SinkKey($0) }
    }
}

/// The payloads of one batch, each decoded once however many sinks get it; nil for one that does not decode.
private struct PayloadCache {
    private var known: [Int64: Payload?] = [:]

    mutating func payload(of firing: Int64, _ text: String) -> Payload? {
        if let payload = known[firing] { return payload }
        let payload = PayloadText.decode(text)
        known[firing] = .some(payload)
        return payload
    }
}

/// Tokens of one batch: 128 random bits for the batch, and the number of the delivery in it.
private struct ClaimTokens {
    private let batch =
        String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)

    func token(_ number: Int64) -> String { "\(batch)-\(number)" }
}
