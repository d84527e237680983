internal import Logging
internal import Synchronization

/// Counts the lines of the log by level.
final class LogFigures: Sendable {
    private let counts = Mutex<[Logger.Level: UInt64]>([:])

    /// All levels, the least severe first.
    static let levels = Logger.Level.allCases

    /// The same logger, whose lines are counted.
    func counting(_ logger: Logger) -> Logger {
        var logger = logger
        logger.handler = CountedLog(handler: logger.handler, figures: self)
        return logger
    }

    /// The counts so far.
    var all: [Logger.Level: UInt64] { counts.withLock(\.self) }

    fileprivate func logged(_ level: Logger.Level) { counts.withLock { $0[level, default: 0] += 1 } }
}

/// A log handler that counts what it passes on.
private struct CountedLog: WrappedLog {
    var handler: any LogHandler
    let figures: LogFigures

    func log(event: LogEvent) {
        figures.logged(event.level)
        handler.log(event: event)
    }
}
