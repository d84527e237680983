internal import ArgumentParser
internal import Glibc
internal import TminusCore
internal import TminusDaemon
internal import TminusTooling

/// `tminus diff`
struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show how an edit would change upcoming firings.",
        discussion: """
            Without a path, compares the config directory with what the daemon has in force, read from its state. With \
            one path, that directory stands in for the config directory. With two, compares the first with the second \
            and needs no state.

            Changes nothing and does not disturb a running daemon. Exit status: 0 even with differences, unless \
            --exit-code is given; 65 if a new file has an error (such a file keeps its last good content); 69 if there \
            is no state.
            """
    )

    @Argument(
        help: ArgumentHelp("A replacement for the config directory, or two directories: old and new.", valueName: "dir")
    )
    var paths: [String] = []

    @OptionGroup(title: "Places")
    var places: StorePlaces

    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH or a path. Default: that of the daemon that runs, else the one of the state directory.",
            valueName: "url"))
    var store: String?

    @Option(
        name: .customShort("n"),
        help: ArgumentHelp("How many firings to compare for each definition.", valueName: "count"))
    var limit = 5

    @Option(
        help: ArgumentHelp("Compare only firings within this time from now, such as '7 days'.", valueName: "duration"),
        transform: duration)
    var within: Duration?

    @Flag(help: "Write a JSON object.")
    var json = false

    @Flag(help: "Exit with status 1 if there are differences.")
    var exitCode = false

    @OptionGroup var reading: FileReadingOptions

    func validate() throws {
        if !(1...1_000).contains(limit) { throw ValidationError("-n must be from 1 to 1000") }
        if paths.count > 2 { throw ValidationError("expected at most two directories: old and new") }
    }

    func run() async throws {
        let result: DiffResult
        do {
            result = try await compare()
        } catch let error as ToolError {
            throw reported(error)
        } catch let error as DaemonError {
            throw reported(error)
        }
        StandardError.shared.warnOfMachineZone()
        StandardError.shared.write(DiagnosticFormat.text.render(result.diagnostics))
        try StandardOutput.write(json ? result.json : result.text)
        if result.hasErrors { throw ExitStatus.badData }
        if exitCode, result.isDifferent { throw ExitStatus.different }
    }

    private func compare() async throws -> DiffResult {
        // A comparison of two directories does not use the daemon's directory, which need not exist then.
        let isAlone = paths.count == 2
        var options =
            if isAlone {
                try DaemonOptions(config: places.config ?? paths[0], state: places.state ?? ".", store: store)
            } else {
                try await places.options(store: store, candidate: paths.first)
            }
        reading.apply(to: &options.definitions)
        let scope = DiffResult.Scope(limit: limit, horizon: within)
        if isAlone {
            return try DiffResult.ofDirectories(
                paths[0], paths[1], reading: options.definitions, scope: scope, sinks: Daemon.standardSinks)
        }
        let file = try options.storeFile(
            for: "tminus diff", instead: "compare two directories, or ask the daemon with 'tminus next'")
        return try await DiffResult.ofState(
            options.definitions, state: options.stateDirectory, store: file, candidate: paths.first,
            scope: scope, sinks: Daemon.standardSinks)
    }

    private static func duration(_ text: String) throws -> Duration {
        switch CalendarSpan.parseDuration(text) {
        case .success(let duration): return duration
        case .failure: throw ValidationError("expected a duration such as '7 days', '36h' or PT36H")
        }
    }
}
