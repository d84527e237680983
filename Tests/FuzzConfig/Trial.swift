import Foundation
import TminusCore
import TminusDefinitions
import TminusSinks

/// Decodes inputs one by one and keeps the worst times, and each input that takes too long.
struct Trial {
    private let output: String
    private let limit: Duration
    private let current: FileHandle
    private static let zones = MachineZones()
    private var count = 0
    private var worst: (time: Duration, what: String) = (.zero, "")
    private var slowest: (time: Duration, what: String) = (.zero, "")
    private var total = Duration.zero
    /// How many inputs took too long.
    private(set) var failures = 0

    /// A trial that keeps inputs in the directory `output`.
    init(output: String, limit: Duration) throws {
        self.output = output
        self.limit = limit
        let place = "\(output)/current"
        _ = FileManager.default.createFile(atPath: place, contents: nil)
        current = try FileHandle(forWritingTo: URL(fileURLWithPath: place))
    }

    /// How many inputs there were, and how long they took.
    var summary: String {
        "\(count) inputs, worst \(Self.text(worst.time)) (\(worst.what)), mean \(Self.text(total / max(1, count))), \(failures) over "
            + Self.text(limit)
    }

    /// Begins to count anew.
    mutating func reset() {
        (count, total, worst, failures) = (0, .zero, (.zero, ""), 0)
    }

    /// Whether the file has nothing wrong with it.
    func isClean(_ bytes: [UInt8], _ path: String) -> Bool { Self.decode(bytes, path).diagnostics.isEmpty }

    /// Decodes an input and renders what is wrong with it.
    static func read(_ bytes: [UInt8], _ path: String) {
        let result = decode(bytes, path)
        _ = DiagnosticText.render(result.diagnostics)
        _ = DiagnosticFormats.json(result.diagnostics)
    }

    /// Decodes an input; one that takes longer than the limit three times, so that no pause of the machine counts, is kept.
    mutating func run(_ bytes: [UInt8], _ path: String, _ what: String) {
        keep(bytes)
        var time = elapsed(bytes, path)
        for _ in 0..<2 where time > limit { time = min(time, elapsed(bytes, path)) }
        count += 1
        total += time
        if time > worst.time { worst = (time, "\(path), \(what)") }
        if time > limit {
            failures += 1
            let place = "\(output)/slow-\(failures)-\((path as NSString).lastPathComponent)"
            try? Data(bytes).write(to: URL(fileURLWithPath: place))
            print("too slow, \(Self.text(time)): \(path), \(what), kept as \(place)")
        }
    }

    /// Decodes a large input; one that takes longer than `limit` is counted and printed.
    mutating func measure(_ bytes: [UInt8], _ path: String, _ name: String, limit: Duration) {
        keep(bytes)
        let time = elapsed(bytes, path)
        if time > slowest.time { slowest = (time, "\(path), \(name)") }
        guard time > limit else { return }
        failures += 1
        print("too slow, \(Self.text(time)) for \(bytes.count) bytes: \(path), \(name)")
    }

    /// The worst time of a large input.
    var large: String { "worst \(Self.text(slowest.time)) (\(slowest.what))" }

    /// After a crash the file shows what the input was.
    private func keep(_ bytes: [UInt8]) {
        try? current.truncate(atOffset: 0)
        try? current.write(contentsOf: bytes)
    }

    /// The processor time of the thread that reading takes: what else the machine does makes no input slow.
    private func elapsed(_ bytes: [UInt8], _ path: String) -> Duration {
        let start = Self.threadTime
        Self.read(bytes, path)
        return Self.threadTime - start
    }

    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func decode(_ bytes: [UInt8], _ path: String) -> LoadResult {
        var loader = DefinitionLoader(zones: zones, sinks: SinkRegistry(StandardSinks.kinds), displayRoot: "config")
        let file = SourceFile(path: path, content: .bytes(bytes))
        return loader.load(
            DirectoryContents(root: "/etc/tminus", files: [file]), now: Timestamp(seconds: 1_780_272_000))
    }

    private static func text(_ time: Duration) -> String {
        let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
        return String(format: "%.2f ms", Double(microseconds) / 1_000)
    }
}

/// The names of the machine's zones, each with the rules of UTC: rules are not what is tried here.
private struct MachineZones: ZoneDatabase {
    let names = TimeZone.knownTimeZoneIdentifiers
    private let known = Set(TimeZone.knownTimeZoneIdentifiers)
    var systemZone: Zone { .utc }
    var version: String? { nil }
    var revision: Int { 0 }
    func zone(named name: String) -> Zone? { known.contains(name) ? .utc : nil }
}
