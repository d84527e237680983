import TminusCore

extension Timestamp {
    static func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_800_000_000 + seconds) }
}

extension Firing {
    /// An expiry of `id` at the second 0 to these sinks.
    static func sample(_ id: String, at due: Int64 = 0, to sinks: [String] = ["chat"]) throws -> Firing {
        guard let definition = DefinitionID(id) else { throw StoreError(.other, "'\(id)' is no id") }
        let payload = Payload(
            id: id, kind: .timer, name: "Tea", description: "A sentence of a length that people write.",
            labels: ["team": "kitchen"], due: "2027-01-15T08:00:00Z", timezone: "Europe/Berlin", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: "now"), scheduled: .at(0), fired: .at(0),
            late: 0, isCatchUp: false, occurrence: .at(0), message: "Tea is ready")
        return Firing(
            definition: definition, occurrence: .at(due), action: .expiry, due: .at(due), payload: payload,
            sinks: sinks.map { SinkKey($0) })
    }
}

extension ClaimRequest {
    static func sample(limit: Int = 100, room: Int = 100, owner: String = "me") -> ClaimRequest {
        ClaimRequest(owner: owner, limit: limit, otherRoom: room, until: .at(60))
    }
}
