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
            Reports every problem in every file. Exit status: 0 without errors, 65 with at least one. A file named on \
            its own is checked alone, without the sinks and ids of other files. Name the directory to check files \
            together.

            Also looks for what sinks need: programs, environment variables, files of secrets and directories. What is \
            missing is a warning, since it may exist where the daemon runs; --strict makes it an error. What a unit forbids \
            the daemon, such as to write in a directory, is in 'tminus status' and 'tminus doctor'.
            """
    )

    @Argument(help: "Directories and files. Default: the directory that 'tminus run' watches.")
    var paths: [String] = []

    @Flag(help: "Write a JSON array. Same as --format json.")
    var json = false

    @Option(help: "The output format: text, json, or github (workflow annotations).")
    var format = DiagnosticFormat.text

    @Flag(help: "Something missing that a sink needs is an error.")
    var strict = false

    @OptionGroup var reading: FileReadingOptions

    func run() async throws {
        let result = try reportingFailure { () throws(ToolError) in
            try CheckResult.of(
                paths: paths, maxFileSize: reading.maxFileSize,
                allowsInsecurePermissions: reading.insecurePermissions, isStrict: strict, sinks: Daemon.standardSinks)
        }
        StandardError.shared.warnOfMachineZone()
        let format = json ? .json : format
        let text = format.render(result.diagnostics)
        if format == .text {
            // Problems go to standard error and the summary to standard output, so a script can separate them.
            StandardError.shared.write(text)
            try StandardOutput.write(result.summary + "\n")
        } else {
            try StandardOutput.write(text)
        }
        if result.hasErrors { throw ExitStatus.badData }
    }
}

extension DiagnosticFormat: ExpressibleByArgument {}
