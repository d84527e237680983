internal import ArgumentParser
internal import Glibc
internal import TminusCore
internal import TminusDaemon
internal import TminusTooling

/// `tminus check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Validate definition files. Needs no daemon.",
        discussion: """
            Reports every problem of every file. Exit status 0 if there is no error, 65 if there is one. \
            A file that is named alone is checked by itself: the sinks and ids of other files are unknown then. \
            Name the directory to check them together.
            """
    )

    @Argument(help: "Directories and files. Default: the directory that 'tminus run' would watch.")
    var paths: [String] = []

    @Flag(help: "Write a JSON array; the same as --format json.")
    var json = false

    @Option(help: "How problems are written: text, json, or github (annotations of a workflow).")
    var format = DiagnosticFormat.text

    @OptionGroup var reading: FileReadingOptions

    func run() async throws {
        let result = try reportingFailure { () throws(ToolError) in
            try CheckResult.of(
                paths: paths, maxFileSize: reading.maxFileSize,
                allowsInsecurePermissions: reading.insecurePermissions, sinks: Daemon.standardSinks)
        }
        StandardError.shared.warnOfMachineZone()
        let format = json ? .json : format
        let text = format.render(result.diagnostics)
        if format == .text {
            // Problems to standard error, the verdict to standard output, so that a script can keep them apart.
            StandardError.shared.write(text)
            StandardError.shared.flush()
            try StandardOutput.write(result.summary + "\n")
        } else {
            try StandardOutput.write(text)
        }
        if result.hasErrors { throw ExitStatus.badData }
    }
}

extension DiagnosticFormat: ExpressibleByArgument {}
