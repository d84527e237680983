import TminusCore
import TminusSQLite
import TminusStorage

extension Timestamp {
    static func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_800_000_000 + seconds) }
}

extension DeliveryID {
    /// The id of no delivery.
    static let unknown = DeliveryID(String(repeating: "0", count: 32))!
}

extension Firing {
    /// An action of `id` at the second 0 to these sinks.
    static func sample(
        _ id: String, at due: Int64 = 0, _ action: FiringAction = .expiry, to sinks: [String] = ["chat"],
        overlap: Overlap = .queue
    ) throws -> Firing {
        guard let definition = DefinitionID(id) else { throw StoreError(.other, "'\(id)' is no id") }
        let payload = Payload(
            id: id, kind: .timer, name: "Tea", description: "A sentence of a length that people write.",
            labels: ["team": "kitchen"], due: "2027-01-15T08:00:00Z", timezone: "Europe/Berlin", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: "now"), scheduled: .at(0), fired: .at(0),
            late: 0, isCatchUp: false, occurrence: .at(0), message: "Tea is ready")
        return Firing(
            definition: definition, occurrence: .at(due), action: action, due: .at(due), payload: payload,
            sinks: sinks.map { SinkKey($0) },
            overlaps: Dictionary(uniqueKeysWithValues: sinks.map { (SinkKey($0), overlap) }))
    }
}

extension ClaimRequest {
    static func sample(limit: Int = 100, room: Int = 100, owner: String = "me") -> ClaimRequest {
        ClaimRequest(owner: owner, limit: limit, otherRoom: room, until: .at(60))
    }
}

extension SQLiteStore {
    /// Commits firings and claims nothing.
    func write(_ firings: [Firing], at second: Int64 = 0) async throws {
        _ = try await commit(Commit(firings: firings), now: .at(second))
    }

    /// Claims what is due.
    func claim(_ request: ClaimRequest = .sample(), at second: Int64 = 0) async throws -> [Delivery] {
        try await commit(Commit(claim: request), now: .at(second)).claimed
    }

    /// Settles claims, all of them in the same way.
    @discardableResult
    func settle(
        _ deliveries: [Delivery], _ outcome: Outcome = .delivered, at second: Int64 = 1
    ) async throws -> Committed {
        let settlements = deliveries.map { Settlement(token: $0.claim.token, id: $0.id, outcome: outcome) }
        return try await commit(Commit(settlements: settlements), now: .at(second))
    }

    /// State and reason of every delivery, in the order in which they were written.
    func states() async throws -> [String] {
        try await deliveries(DeliveryFilter(limit: .max)).reversed().map { record in
            record.reason.map { "\(record.state.rawValue): \($0)" } ?? record.state.rawValue
        }
    }
}
