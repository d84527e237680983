import BenchRows
import Foundation
import Synchronization
import TminusCore
import TminusSinks
import TminusTestKit

/// 100,000 events due at one instant, through the whole daemon with a store in memory to a sink that does nothing, beside a loop of
/// timerfd and epoll in C.
struct InstantBench {
    let scratch: URL
    /// The program of `Benchmarks/Peers/Programs/lateness.c`.
    let peer: String
    private let count = 100_000

    /// How late the last of them is.
    func figure() async throws -> DeliveryFigure {
        let times = Mutex<[Double]>([])
        var peers: [Double] = []
        for _ in 0..<DeliveryBench.rounds {
            peers += try Peer.numbers("'\(peer)' flood \(count)").map { $0 / 1_000 }
            Meter.shared.reset(room: count)
            try await House(scratch: scratch, sinks: "{\"n\": {\"null\": \"x\"}}").run(
                count: count, actions: "[\"n\"]", kinds: [NullSink.self], store: MemoryStore()
            ) { due in
                let (_, last) = await Meter.shared.wait(for: count)
                times.withLock { $0.append(due.duration(to: last).seconds * 1_000) }
            }
        }
        return DeliveryFigure(
            name: "\(count / 1_000) k due at one instant, store in memory: the last", unit: "ms",
            values: times.withLock { $0 },
            peer: peers, peerName: "timerfd in C", target: .atMost(150))
    }
}
