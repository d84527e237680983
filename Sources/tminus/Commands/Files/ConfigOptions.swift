internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// The options that select the definition files to change.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory with the definitions. Default: the directory that 'tminus run' watches.",
            valueName: "dir"
        ))
    var config: String?

    @Option(help: ArgumentHelp("The file, relative to that directory.", valueName: "file"))
    var file: String?

    @Flag(help: "Accept files that other users can write.")
    var insecurePermissions = false

    @Flag(help: "Write a JSON object.")
    var json = false

    /// The files of the directory.
    func files() throws(EditRefusal) -> ConfigFiles {
        try ConfigFiles(
            config: config, allowsInsecurePermissions: insecurePermissions, sinks: Daemon.standardSinks)
    }
}

/// Runs a change to files. Reports a refusal on standard error, with its diagnostics, and throws the exit status.
func reportingRefusals(_ change: () throws -> Void) throws {
    do {
        try change()
    } catch let refusal as EditRefusal {
        StandardError.shared.report(DiagnosticFormat.text.render(refusal.diagnostics) + "tminus: \(refusal.error)")
        throw ExitStatus.code(of: refusal.error)
    }
}
