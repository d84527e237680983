import Foundation
import TminusCore
import TminusSQLite

/// Prints how many firings a second the SQLite store records, claims and settles, in batches as they arise.
@main
struct OutboxBench {
    static let count = 50_000
    static let rounds = 5

    static func main() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "tminus-bench-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var rates: [Double] = []
        for round in 0..<rounds {
            let store = try SQLiteStore(path: directory.appending(path: "\(round).sqlite").path)
            let times = try await cycle(store)
            try await store.close()
            rates.append(Double(count) / (times.reduce(0, +)))
            let parts = times.map { String(format: "%.2f s", $0) }
            print("record, claim, settle: \(parts.joined(separator: ", ")): \(Int(rates[round])) firings/s")
        }
        print("median: \(Int(rates.sorted()[rounds / 2])) firings/s recorded, claimed and settled")
    }

    /// Seconds of each part.
    private static func cycle(_ store: SQLiteStore) async throws -> [Double] {
        let now = Timestamp(seconds: 1_800_000_000)
        let firings = (0..<count).compactMap { firing($0, now) }
        var times = [0.0, 0.0, 0.0]
        func timed<Value>(_ part: Int, _ work: () async throws -> Value) async throws -> Value {
            let start = ContinuousClock.now
            defer { times[part] += Double((ContinuousClock.now - start).nanoseconds) / 1e9 }
            return try await work()
        }
        for start in stride(from: 0, to: count, by: 1_000) {
            let batch = Array(firings[start..<start + 1_000])
            try await timed(0) { _ = try await store.advance(Advance(firings: batch), now: now) }
        }
        let request = ClaimRequest(owner: "bench", limit: 256, otherRoom: 256, until: now.advanced(by: .seconds(60)))
        while true {
            let claimed = try await timed(1) { try await store.claim(request, now: now) }
            if claimed.isEmpty { return times }
            let settlements = claimed.map { Settlement(token: $0.token, id: $0.id, outcome: .delivered) }
            _ = try await timed(2) { try await store.settle(settlements, now: now) }
        }
    }

    private static func firing(_ number: Int, _ now: Timestamp) -> Firing? {
        guard let id = DefinitionID("event-\(number)") else { return nil }
        let payload = Payload(
            id: id.rawValue, kind: .event, name: "Product launch", description: "Version 2 goes public.",
            labels: ["team": "web"], due: "2027-01-15T08:00:00+01:00", timezone: "Europe/Berlin", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: "now"), scheduled: now.rfc3339, fired: now.rfc3339, late: 0,
            isCatchUp: false, occurrence: now.rfc3339, message: "Product launch is due")
        return Firing(
            definition: id, occurrence: now, action: .expiry, due: now, payload: payload, sinks: [SinkKey("null")],
            expires: now.advanced(by: .seconds(86_400)))
    }
}
