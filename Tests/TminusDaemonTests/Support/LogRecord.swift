import Logging
import TminusTestKit

/// What was logged in one test.
final class LogRecord: Sendable {
    struct Line: Sendable, Equatable {
        var level: Logger.Level
        var message: String
        var metadata: [String: String]
    }

    private let record = Watched<[Line]>([])

    var lines: [Line] { record.value }

    var logger: Logger {
        let record = record
        return Logger(label: "test") { _ in Handler(record: record) }
    }

    func count(_ level: Logger.Level) -> Int { lines.filter { $0.level == level }.count }

    /// Waits for a line that begins like that.
    func wait(for start: String) async throws {
        let came = await record.wait(upTo: Bounded.limit) { $0.contains { $0.message.hasPrefix(start) } }
        guard came else { throw ConformanceFailure("no line '\(start)' in \(lines)") }
    }

    private struct Handler: LogHandler {
        let record: Watched<[Line]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = Line(
                level: event.level, message: event.message.description,
                metadata: (event.metadata ?? [:]).mapValues(\.description))
            record.update { $0.append(line) }
        }
    }
}
