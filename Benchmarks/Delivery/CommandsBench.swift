import BenchRows
import Foundation
import TminusCore
import TminusSinks

/// Commands a second through the daemon at 8 in parallel, beside a loop of posix_spawn(3) in C at 8.
struct CommandsBench: DeliveryPart {
    let scratch: URL
    /// The program of `Benchmarks/Peers/Programs/spawn.c`.
    let peer: String
    private let count = 4_000

    /// Commands a second.
    func run() async throws -> [DeliveryFigure] {
        let peers = try Peer.numbers("'\(peer)' \(count) 8")
        Meter.shared.reset()
        let sinks = "{\"c\": {\"exec\": [\"/bin/true\"], \"max-concurrent\": 8}}"
        let rate = try await House(scratch: scratch, sinks: sinks).run(
            count: count, actions: "[\"c\"]", kinds: [Measured<ExecSink>.self]
        ) { _ in
            let (first, last) = await Meter.shared.wait(for: count)
            return Double(count) / first.duration(to: last).seconds
        }
        return [
            DeliveryFigure(
                name: "commands through the daemon, 8 at a time", unit: "/s", values: [rate], peer: peers,
                peerName: "posix_spawn in C", target: .ratio(0.8))
        ]
    }
}
