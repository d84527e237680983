internal import ArgumentParser
internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDaemon
internal import TminusTooling
internal import UnixSignals

/// `tminus run`
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the daemon: watch a directory and deliver what comes due.",
        discussion: """
            Notifications go to standard output, the log and file problems to standard error. SIGINT and SIGTERM stop \
            the daemon: running deliveries get 30 seconds, the rest go out at the next start. SIGHUP re-reads the \
            directory.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The directory with the definitions. Default: the first existing of ./config, $XDG_CONFIG_HOME/tminus and /etc/tminus.",
            valueName: "dir"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The state directory. Default: $STATE_DIRECTORY, $XDG_STATE_HOME/tminus or ~/.local/state/tminus.",
            valueName: "dir"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH or a path. Default: tminus.sqlite in the state directory.", valueName: "url"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "The control socket. Default: control.sock in $RUNTIME_DIRECTORY, $XDG_RUNTIME_DIR/tminus or the state directory.",
            valueName: "path"))
    var socket: String?

    @Flag(help: "Refuse to start if any definition has an error, or something is missing that a sink needs.")
    var strict = false

    @OptionGroup var reading: FileReadingOptions

    @Option(
        help: ArgumentHelp("The least severe level to log: \(levels). Default: notice.", valueName: "level"),
        transform: level)
    var logLevel = Logger.Level.notice

    @Option(help: ArgumentHelp("The format of log lines.", valueName: "format"))
    var logFormat = LogFormat.text

    func validate() throws {
        if let store, store.hasPrefix("postgres") {
            throw ValidationError("--store: this version does not support PostgreSQL yet; give sqlite:PATH")
        }
    }

    func run() async throws {
        let (level, format) = (logLevel, logFormat)
        let logger = Logger(label: "tminus") { LogOutput(label: $0, format: format, logLevel: level) }
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        do {
            let daemon = Daemon(
                options: try daemonOptions(), sinks: Daemon.standardSinks, reloads: reloads,
                report: { StandardError.shared.write(DiagnosticFormat.text.render($0)) }, logger: logger)
            var quiet = Logger(label: "tminus.services") { LogOutput(label: $0, format: format, logLevel: level) }
            quiet.logLevel = max(level, .warning)
            let hangUps = await UnixSignalsSequence(trapping: .sighup)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in hangUps { reload.yield() } }
                try await ServiceGroup(
                    services: [daemon], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet
                ).run()
                group.cancelAll()
            }
        } catch let error as DaemonError {
            throw reported(error)
        } catch {
            logger.critical("internal error", metadata: ["error": "\(error)"])
            StandardError.shared.flush()
            throw ExitStatus.internalError
        }
        StandardError.shared.flush()
    }

    private static let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else { throw ValidationError("expected one of \(levels)") }
        return level
    }

    private func daemonOptions() throws(DaemonError) -> DaemonOptions {
        var options = try DaemonOptions(config: config, state: state, store: store, socket: socket)
        reading.apply(to: &options.definitions)
        options.isStrict = strict
        options.version = TminusVersion.current
        return options
    }
}
