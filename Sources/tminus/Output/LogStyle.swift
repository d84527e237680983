internal import ArgumentParser
internal import Logging
internal import TminusCore
internal import TminusSystem

/// The format of log lines.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    /// `2026-12-01T09:00:00.000+01:00 notice: cancelled definition.id=tea`
    case text
    /// One JSON object a line.
    case json
}

extension LineTime: ExpressibleByArgument {}

/// How everything is written that goes to standard error.
struct LogStyle: Sendable {
    var format = LogFormat.text
    /// The zone of the times.
    var time = LineTime.local
    /// Whether the journal reads the text: then lines begin with a priority and have no time, which the journal adds.
    var isJournal = false

    /// The beginning of a log event in text.
    func start(_ level: Logger.Level) -> String { isJournal ? Self.priority(level) : "\(time.now) " }

    /// `text`, whose lines have no time, with the priority of the level before each line for the journal.
    func lines(_ text: String, _ level: Logger.Level) -> String {
        guard isJournal else { return text }
        return text.split(separator: "\n").map { "\(Self.priority(level))\($0)\n" }.joined()
    }

    /// The priority of a line in the journal (sd-daemon(3)).
    private static func priority(_ level: Logger.Level) -> String {
        switch level {
        case .critical, .error: "<3>"
        case .warning: "<4>"
        case .notice: "<5>"
        case .info: "<6>"
        case .debug, .trace: "<7>"
        }
    }
}
