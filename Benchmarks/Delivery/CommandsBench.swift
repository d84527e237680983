import Foundation
import Synchronization
import TminusCore
import TminusSinks

/// Commands a second through the daemon at 8 in parallel, beside a loop of posix_spawn(3) in C at 8.
struct CommandsBench {
    let scratch: URL
    /// The program of `Benchmarks/Delivery/Peers/spawn.c`.
    let peer: String
    private let count = 4_000

    /// Commands a second.
    func figure() async throws -> DeliveryFigure {
        let rates = Mutex<[Double]>([])
        var peers: [Double] = []
        for _ in 0..<DeliveryBench.rounds {
            peers.append(try spawnLoop())
            Meter.shared.reset()
            let sinks = "{\"c\": {\"exec\": [\"/bin/true\"], \"max-concurrent\": 8}}"
            try await House(scratch: scratch, sinks: sinks).run(
                count: count, actions: "[\"c\"]", kinds: [Measured<ExecSink>.self]
            ) { _ in
                let (first, last) = await Meter.shared.wait(for: count)
                rates.withLock { $0.append(Double(count) / first.duration(to: last).seconds) }
            }
        }
        return DeliveryFigure(
            name: "commands through the daemon, 8 at a time (peer: C)", unit: "/s", values: rates.withLock { $0 },
            peer: peers, target: .ratio(0.8))
    }

    /// What the peer prints: commands a second.
    private func spawnLoop() throws -> Double {
        guard let stream = popen("'\(peer)' \(count) 8", "r") else { throw Failure("\(peer) cannot be run") }
        defer { pclose(stream) }
        var line = [CChar](repeating: 0, count: 64)
        let end = CChar(bitPattern: UInt8(ascii: "\n"))
        guard fgets(&line, 64, stream) != nil,
            let rate = Double(String(decoding: line.prefix { $0 != end }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        else { throw Failure("\(peer) says nothing") }
        return rate
    }
}
