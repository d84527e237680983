internal import ArgumentParser
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling
internal import UnixSignals

/// `tminus run`
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the daemon: watch a directory and deliver what comes due.",
        discussion: """
            Notifications go to standard output, the log and file problems to standard error. SIGINT and SIGTERM stop \
            the daemon: nothing new fires, running deliveries get 25 seconds and are then cancelled, and the rest go out \
            at the next start. It ends within 30 seconds, at a second signal at once. SIGHUP re-reads the directory.

            With --standby, daemons of several machines share a store in PostgreSQL. One leads, which is all that a daemon \
            does without it; the others deliver beside it, and forward commands to it. One of \
            them takes over at once when the leader stops, and within 12 seconds when it dies.

            Under systemd the daemon reports its readiness, reloads and status, and feeds the watchdog. In the journal, \
            log lines have a priority and no time.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The directory with the definitions. Default: the first existing of ./config, $XDG_CONFIG_HOME/tminus and /etc/tminus.",
            valueName: "dir"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The state directory. Default: $TMINUS_STATE, $STATE_DIRECTORY, $XDG_STATE_HOME/tminus or ~/.local/state/tminus.",
            valueName: "dir"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "The store: a path, sqlite:PATH, or postgresql://USER@HOST/DATABASE without a password, which belongs into ~/.pgpass. Default: tminus.sqlite in the state directory.",
            valueName: "url"))
    var store: String?

    @Flag(
        help:
            "While another daemon leads, deliver beside it, and take over when it is gone. Needs --store postgresql://. Give it on all machines alike."
    )
    var standby = false

    @Option(
        help: ArgumentHelp(
            "Name the daemons in the source of deliveries, /tminus/NAME. Default: tminus with --standby, else the name of the host.",
            valueName: "name"))
    var fleet: String?

    @Flag(
        help:
            "At a take-over, apply the files of this machine as they are, also if they are older than those in force, or some are missing. For directories that come with the program, as in an image of a container."
    )
    var ownFiles = false

    @Option(
        name: .customLong("label"),
        help: ArgumentHelp(
            "A label of this machine, such as backup or zone=eu, for the option 'run-on' of sinks. Give it once for each. It also has host=NAME.",
            valueName: "label"))
    var labels: [String] = []

    @Option(
        help: ArgumentHelp(
            "The control socket. Default: $TMINUS_SOCKET, else control.sock in $RUNTIME_DIRECTORY, $XDG_RUNTIME_DIR/tminus or the state directory.",
            valueName: "path"))
    var socket: String?

    @Flag(help: "Refuse to start if any definition has an error, or something is missing that a sink needs.")
    var strict = false

    @OptionGroup var reading: FileReadingOptions

    @Option(
        help: ArgumentHelp("The least severe level to log: \(levels). Default: notice.", valueName: "level"),
        transform: level)
    var logLevel = Logger.Level.notice

    @Option(
        help: ArgumentHelp(
            "The format of the log: text, or json, one object a line for log events and file problems alike.",
            valueName: "format"))
    var logFormat = LogFormat.text

    @Option(
        help: ArgumentHelp(
            "The zone of the times in the log: local (this machine's) or utc. The option 'time' of stdout sinks is the counterpart for deliveries.",
            valueName: "zone"))
    var logTime = LineTime.local

    @OptionGroup(title: "HTTP")
    var web: ListenOptions

    func run() async throws {
        let level = logLevel
        let style = LogStyle(
            format: logFormat, time: logTime,
            isJournal: JournalStream.isConnected(STDERR_FILENO, MachinePaths.environment))
        let logger = Logger(label: "tminus") { LogOutput(label: $0, style: style, logLevel: level) }
        let report = ProblemOutput(style: style)
        StandardError.shared.startQueueing(reportingDropsAs: report)
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        do {
            let daemon = Daemon(
                options: try daemonOptions(), sinks: Daemon.standardSinks, reloads: reloads,
                report: { StandardError.shared.write(report.text($0)) }, logger: logger)
            var quiet = Logger(label: "tminus.services") {
                LogOutput(label: $0, style: style, logLevel: level)
            }
            quiet.logLevel = max(level, .warning)
            let hangUps = await UnixSignalsSequence(trapping: .sighup)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in hangUps { reload.yield() } }
                let services = ServiceGroup(
                    configuration: ServiceGroupConfiguration(
                        services: [ServiceGroupConfiguration.ServiceConfiguration(namedByType: daemon)], logger: quiet))
                try await StopSignals(services: services, logger: logger).run()
                group.cancelAll()
            }
        } catch let error as DaemonError {
            StandardError.shared.write(report.text(error))
            StandardError.shared.flush()
            throw ExitStatus.code(of: error)
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
        var options = try DaemonOptions(
            config: config, state: state, store: store, socket: socket, standsBy: standby, fleet: fleet,
            labels: labels)
        reading.apply(to: &options.definitions)
        options.isStrict = strict
        options.usesOwnFiles = ownFiles
        options.web = web.options
        options.version = TminusVersion.current
        return options
    }
}
