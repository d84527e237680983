import BenchRows
import Foundation
import TminusCore
import TminusSQLite

/// Writes rows of how many firings a second the SQLite store records, claims and settles, in batches as they arise: in a new file,
/// and in one with as many settled firings as the second argument says (1,000,000 without). The first argument is the program of
/// `Benchmarks/Peers/Programs/sqlite.c`.
@main
struct OutboxBench {
    static let count = 50_000
    /// How many are recorded in one transaction.
    static let batch = 1_000
    static let rounds = Runs.of(5)
    static let target = 30_000.0

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let peer = words.first else {
            print("usage: outbox-bench SQLITE-PEER [HISTORY]")
            exit(64)
        }
        let history = words.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        let directory = FileManager.default.temporaryDirectory.appending(path: "tminus-bench-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var runs: [Run] = []
        var peers: [Double] = []
        for round in 0..<rounds {
            peers += try Peer.numbers("'\(peer)' '\(directory.path)/peer-\(round).sqlite' \(batch) 1")
            let store = try SQLiteStore(path: directory.appending(path: "\(round).sqlite").path)
            runs.append(try await run(store, first: 0, count))
            try await store.close()
        }
        Row("firings recorded, claimed and settled", "/s", runs.map(\.rate), target: .atLeast(target)).write()
        Row("processor time of one of these", "µs", runs.map { $0.processor / Double(count) * 1e6 }).write()
        Row(
            "of these, only recorded", "/s", runs.map { Double(count) / $0.parts[0] },
            peer: "SQLite in C, 1,000 rows a time", peers
        ).write()
        Row("of these, only claimed", "/s", runs.map { Double(count) / $0.parts[1] }).write()
        Row("of these, only settled", "/s", runs.map { Double(count) / $0.parts[2] }).write()
        guard history > 0 else { return }
        let store = try SQLiteStore(path: directory.appending(path: "history.sqlite").path)
        for first in stride(from: 0, to: history, by: count) { _ = try await run(store, first: first, count) }
        var aged: [Run] = []
        for round in 0..<rounds {
            aged.append(try await run(store, first: history + round * count, count))
        }
        Row("the same beside \(history / 1_000) k settled ones", "/s", aged.map(\.rate)).write()
        try await store.close()
    }

    /// What one run took.
    private struct Run {
        var parts = [0.0, 0.0, 0.0]
        var processor = 0.0
        var rate: Double { Double(OutboxBench.count) / parts.reduce(0, +) }
    }

    private static func run(_ store: SQLiteStore, first: Int, _ count: Int) async throws -> Run {
        let now = Timestamp(seconds: 1_800_000_000 + Int64(first / count))
        let firings = (first..<first + count).compactMap { firing($0, now) }
        var run = Run()
        func timed<Value>(_ part: Int, _ work: () async throws -> Value) async throws -> Value {
            let start = ContinuousClock.now
            defer { run.parts[part] += Double((ContinuousClock.now - start).nanoseconds) / 1e9 }
            return try await work()
        }
        let before = processorTime()
        for start in stride(from: 0, to: count, by: batch) {
            let some = Array(firings[start..<start + batch])
            try await timed(0) { _ = try await store.advance(Advance(firings: some), now: now) }
        }
        let request = ClaimRequest(owner: "bench", limit: 256, otherRoom: 256, until: now.advanced(by: .seconds(60)))
        while true {
            let claimed = try await timed(1) { try await store.claim(request, now: now) }
            if claimed.isEmpty { break }
            let settlements = claimed.map { Settlement(token: $0.token, id: $0.id, outcome: .delivered) }
            _ = try await timed(2) { try await store.settle(settlements, now: now) }
        }
        run.processor = processorTime() - before
        return run
    }

    /// Seconds that this process has used of its processors.
    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
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
