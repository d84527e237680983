import BenchRows
import Foundation
import TminusCore

/// Writes rows of how fast deliveries go: to a sink that does nothing, as commands, as webhooks, into a file, and beside a sink
/// that hangs.
///
/// usage: delivery-bench PART… with `flood`, `lateness=TIMER-LOOP`, `instant=TIMER-LOOP`, `commands=SPAWN-LOOP`, `webhooks=URL`, `lines`, `beside`; without any, `flood lines beside`.
@main
struct DeliveryBench {
    /// How many interleaved runs each figure has.
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
        for part in parts {
            var figures: [DeliveryFigure] = []
            switch (part.first, part.dropFirst().first) {
            case ("flood", nil): figures += try await FloodBench(scratch: scratch).figures()
            case ("lines", nil): figures += try await LinesBench(scratch: scratch).figures()
            case ("beside", nil): figures += try await BesideBench(scratch: scratch).figures()
            case ("lateness", let peer?): figures += try await LatenessBench(scratch: scratch, peer: peer).figures()
            case ("instant", let peer?): figures.append(try await InstantBench(scratch: scratch, peer: peer).figure())
            case ("commands", let peer?): figures.append(try await CommandsBench(scratch: scratch, peer: peer).figure())
            case ("webhooks", let url?): figures.append(try await WebhooksBench(url: url).figure())
            default:
                print("delivery-bench: no part '\(part.joined(separator: "="))'")
                exit(64)
            }
            for figure in figures { figure.row.write() }
        }
    }
}
