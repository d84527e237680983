import BenchRows
import Foundation
import TminusCore
import TminusSinks
import TminusTestKit

/// How late deliveries to a sink that does nothing begin at 1,000 a second, through the whole daemon with its SQLite store and with
/// one in memory, beside a loop of timerfd and epoll in C.
struct LatenessBench: DeliveryPart {
    let scratch: URL
    /// The program of `Benchmarks/Peers/Programs/lateness.c`.
    let peer: String
    private let perSecond = 1_000
    private let seconds = 10

    /// The median and the 99th percentile of the lateness, and the earliest of all.
    func run() async throws -> [DeliveryFigure] {
        let bare = try Peer.numbers("'\(peer)' rate \(perSecond) \(seconds)")
        guard bare.count == 2 else { throw Failure("\(peer) says \(bare)") }
        let memory = try await lateness(MemoryStore())
        let file = try await lateness(nil)
        let rate = "lateness at \(perSecond) a second"
        let name = "timerfd in C"
        return [
            DeliveryFigure(
                name: "\(rate), store in memory: p50", unit: "µs", values: [memory.median], peer: [bare[0]],
                peerName: name, target: .ratioAtMost(3)),
            DeliveryFigure(
                name: "\(rate), store in memory: p99", unit: "µs", values: [memory.late], peer: [bare[1]],
                peerName: name, target: .ratioAtMost(3)),
            DeliveryFigure(
                name: "\(rate), SQLite: p50", unit: "ms", values: [file.median / 1_000], target: .atMost(5)),
            DeliveryFigure(
                name: "\(rate), SQLite: p99", unit: "ms", values: [file.late / 1_000], target: .atMost(15)),
            DeliveryFigure(
                name: "\(rate): the earliest", unit: "µs", values: [memory.earliest, file.earliest], target: .atLeast(0)
            ),
        ]
    }

    /// In microseconds.
    private struct Lateness: Sendable {
        var earliest: Double
        var median: Double
        var late: Double
    }

    private func lateness(_ store: (any Store)?) async throws -> Lateness {
        Meter.shared.reset()
        let count = perSecond * seconds
        return try await House(scratch: scratch, sinks: "{\"n\": {\"null\": \"x\"}}").run(
            count: count, spacing: .seconds(1) / perSecond, actions: "[\"n\"]", kinds: [NullSink.self], store: store
        ) { _ in
            _ = await Meter.shared.wait(for: count)
            let lateness = Meter.shared.lateness.map { Double($0.nanoseconds) / 1e3 }.sorted()
            return Lateness(earliest: lateness[0], median: lateness[count / 2], late: lateness[count * 99 / 100])
        }
    }
}
