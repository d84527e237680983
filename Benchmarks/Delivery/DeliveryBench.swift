import BenchRows
import Foundation
import TminusCore

/// Writes rows of how fast deliveries go: to a sink that does nothing, as commands, as webhooks, into a file, and beside a sink
/// that hangs.
///
/// usage: delivery-bench PART… with `flood`, `lateness=TIMER-LOOP`, `instant=TIMER-LOOP`, `commands=SPAWN-LOOP`, `webhooks=URL`, `lines`, `beside`; without any, `flood lines beside`.
@main
struct DeliveryBench {
    /// How many runs each figure has. All parts run once, then all again: a minute in which the machine is slow is one run of each,
    /// and not all runs of one.
    static let rounds = Runs.of(5)

    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments.dropFirst()
        let parts = (words.isEmpty ? ["flood", "lines", "beside"] : Array(words)).map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let scratch = FileManager.default.temporaryDirectory.appending(path: "tminus-delivery-\(getpid())")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let benches = parts.map { part -> any DeliveryPart in
            switch (part.first, part.dropFirst().first) {
            case ("flood", nil): return FloodBench(scratch: scratch)
            case ("lines", nil): return LinesBench(scratch: scratch)
            case ("beside", nil): return BesideBench(scratch: scratch)
            case ("lateness", let peer?): return LatenessBench(scratch: scratch, peer: peer)
            case ("instant", let peer?): return InstantBench(scratch: scratch, peer: peer)
            case ("commands", let peer?): return CommandsBench(scratch: scratch, peer: peer)
            case ("webhooks", let url?): return WebhooksBench(url: url)
            default:
                print("delivery-bench: no part '\(part.joined(separator: "="))'")
                exit(64)
            }
        }
        var figures = [[DeliveryFigure]](repeating: [], count: benches.count)
        for _ in 0..<rounds {
            for (index, bench) in benches.enumerated() {
                let run = try await bench.run()
                figures[index] = figures[index].isEmpty ? run : zip(figures[index], run).map { $0.joined(with: $1) }
            }
        }
        for figure in figures.joined() { figure.row.write() }
    }
}
