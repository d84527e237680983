import BenchRows
import Foundation
import Synchronization
import TminusCore
import TminusSinks
import TminusTestKit

/// How late deliveries to a sink that does nothing begin at 1,000 a second, through the whole daemon with its SQLite store and with
/// one in memory, beside a loop of timerfd and epoll in C.
struct LatenessBench {
    let scratch: URL
    /// The program of `Benchmarks/Peers/Programs/lateness.c`.
    let peer: String
    private let perSecond = 1_000
    private let seconds = 10

    /// The median and the 99th percentile of the lateness, and the earliest of all.
    func figures() async throws -> [DeliveryFigure] {
        var (bare, memory, file) = ([Run](), [Run](), [Run]())
        for _ in 0..<DeliveryBench.rounds {
            let parts = try Peer.numbers("'\(peer)' rate \(perSecond) \(seconds)")
            guard parts.count == 2 else { throw Failure("\(peer) says \(parts)") }
            bare.append(Run(earliest: 0, median: parts[0], late: parts[1]))
            memory.append(try await run(MemoryStore()))
            file.append(try await run(nil))
        }
        let rate = "lateness at \(perSecond) a second"
        let name = "timerfd in C"
        return [
            DeliveryFigure(
                name: "\(rate), store in memory: p50", unit: "µs", values: memory.map(\.median),
                peer: bare.map(\.median), peerName: name, target: .ratioAtMost(3)),
            DeliveryFigure(
                name: "\(rate), store in memory: p99", unit: "µs", values: memory.map(\.late), peer: bare.map(\.late),
                peerName: name, target: .ratioAtMost(3)),
            DeliveryFigure(
                name: "\(rate), SQLite: p50", unit: "ms", values: file.map { $0.median / 1_000 }, target: .atMost(5)),
            DeliveryFigure(
                name: "\(rate), SQLite: p99", unit: "ms", values: file.map { $0.late / 1_000 }, target: .atMost(15)),
            DeliveryFigure(
                name: "\(rate): the earliest", unit: "µs", values: (memory + file).map(\.earliest), target: .atLeast(0)),
        ]
    }

    /// In microseconds.
    private struct Run: Sendable {
        var earliest: Double
        var median: Double
        var late: Double
    }

    private func run(_ store: (any Store)?) async throws -> Run {
        Meter.shared.reset()
        let runs = Mutex<[Run]>([])
        let count = perSecond * seconds
        try await House(scratch: scratch, sinks: "{\"n\": {\"null\": \"x\"}}").run(
            count: count, spacing: .seconds(1) / perSecond, actions: "[\"n\"]", kinds: [NullSink.self], store: store
        ) { _ in
            _ = await Meter.shared.wait(for: count)
            let lateness = Meter.shared.lateness.map { Double($0.nanoseconds) / 1e3 }.sorted()
            runs.withLock {
                $0.append(Run(earliest: lateness[0], median: lateness[count / 2], late: lateness[count * 99 / 100]))
            }
        }
        guard let run = runs.withLock({ $0.first }) else { throw Failure("nothing was delivered") }
        return run
    }
}
