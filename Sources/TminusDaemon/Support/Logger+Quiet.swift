internal import Logging

extension Logger {
    /// A logger for libraries whose `info` does not concern users.
    var quiet: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .warning)
        return logger
    }
}
