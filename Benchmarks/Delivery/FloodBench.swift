import Foundation
import TminusCore

/// 100,000 events due in the same second, through the whole daemon and its SQLite store to a sink that does nothing.
struct FloodBench: DeliveryPart {
    let scratch: URL
    private let count = 100_000

    /// How long it takes, and what memory is left a minute later.
    func run() async throws -> [DeliveryFigure] {
        Meter.shared.reset()
        let (time, cost, memory) = try await House(scratch: scratch, sinks: "{\"n\": {\"null\": \"x\"}}").run(
            count: count, actions: "[\"n\"]", kinds: [NullSink.self]
        ) { due in
            let before = Memory.resident
            let usedBefore = Processor.seconds
            let (first, last) = await Meter.shared.wait(for: count)
            let cost = (Processor.seconds - usedBefore) / Double(count) * 1e6
            let time = due.duration(to: last).seconds
            let peak = Memory.resident
            var after = peak
            var waited = 0
            while after > before + Memory.tolerance, waited < 60 {
                try await Task.sleep(for: .seconds(2))
                waited += 2
                after = Memory.resident
            }
            say(
                "flood: first after \(due.duration(to: first)), last after \(time) s, "
                    + "\(Int(cost)) µs of processor time each; MiB before \(before >> 20), at the end "
                    + "\(peak >> 20), \(waited) s later \(after >> 20)")
            return (time, cost, after - before)
        }
        return [
            DeliveryFigure(
                name: "\(count / 1_000) k due in one second, to a null sink, SQLite: the last", unit: "s",
                values: [time], target: .atMost(2)),
            DeliveryFigure(
                name: "processor time of one of these", unit: "µs", values: [cost], target: .none),
            DeliveryFigure(
                name: "memory within a minute of it beyond that before", unit: "MiB",
                values: [Double(memory) / 1_048_576], target: .atMost(Double(Memory.tolerance) / 1_048_576)),
        ]
    }
}

/// The memory of this process.
enum Memory {
    /// What counts as the same level: allocators keep some pages.
    static let tolerance = 8 << 20

    /// Resident bytes (proc(5), statm).
    static var resident: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// Tells how far a benchmark is; standard output is for rows.
func say(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}
