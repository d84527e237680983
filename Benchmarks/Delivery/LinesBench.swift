import Foundation
import TminusCore
import TminusSinks

/// Lines a second that a `webhook-file` sink without `sync` appends, for 64 deliveries at a time.
struct LinesBench: DeliveryPart {
    let scratch: URL
    private let count = 400_000
    private let parallel = 64

    /// Lines a second, and what each costs.
    func run() async throws -> [DeliveryFigure] {
        let delivery = Sample.delivery
        let path = scratch.appending(path: "lines.jsonl").path
        let sink = try Sample.sink(["webhook-file": path, "sync": "never"])
        let share = count / parallel
        let total = share * parallel
        let before = Processor.seconds
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<parallel {
                    group.addTask { for _ in 0..<share { try await sink.deliver(delivery) } }
                }
                try await group.waitForAll()
            }
        }
        let cost = (Processor.seconds - before) / Double(total) * 1e6
        await sink.shutdown()
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
            bytes.count { $0 == UInt8(ascii: "\n") }
        }
        guard lines == total else { throw Failure("\(lines) lines in the file") }
        try FileManager.default.removeItem(atPath: path)
        return [
            DeliveryFigure(
                name: "webhook-file without sync", unit: "lines/s", values: [Double(total) / time.seconds],
                target: .atLeast(200_000)),
            DeliveryFigure(
                name: "processor time of one of these lines", unit: "µs", values: [cost], target: .none),
        ]
    }
}

/// What went wrong in a benchmark.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// A failure with those words.
    init(_ description: String) { self.description = description }
}

extension Duration {
    /// In seconds.
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
