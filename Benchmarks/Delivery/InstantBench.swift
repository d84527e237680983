import BenchRows
import Foundation
import TminusCore
import TminusSinks
import TminusTestKit

/// 100,000 events due at one instant, through the whole daemon with a store in memory to a sink that does nothing, beside a loop of
/// timerfd and epoll in C.
struct InstantBench: DeliveryPart {
    let scratch: URL
    /// The program of `Benchmarks/Peers/Programs/lateness.c`.
    let peer: String
    private let count = 100_000

    /// How late the last of them is.
    func run() async throws -> [DeliveryFigure] {
        let peers = try Peer.numbers("'\(peer)' flood \(count)").map { $0 / 1_000 }
        Meter.shared.reset(room: count)
        let time = try await House(scratch: scratch, sinks: "{\"n\": {\"null\": \"x\"}}").run(
            count: count, actions: "[\"n\"]", kinds: [NullSink.self], store: MemoryStore()
        ) { due in
            let (_, last) = await Meter.shared.wait(for: count)
            return due.duration(to: last).seconds * 1_000
        }
        return [
            DeliveryFigure(
                name: "\(count / 1_000) k due at one instant, store in memory: the last", unit: "ms", values: [time],
                peer: peers, peerName: "timerfd in C", target: .atMost(150))
        ]
    }
}
