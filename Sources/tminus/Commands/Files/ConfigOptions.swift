internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// The options that select the definition files to change.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory with the definitions. Default: that of the daemon that runs, else the one that 'tminus run' would watch.",
            valueName: "dir"))
    var config: String?

    @Option(help: ArgumentHelp("The file, relative to that directory.", valueName: "file"))
    var file: String?

    @Flag(help: "Accept files that other users can write.")
    var insecurePermissions = false

    @Flag(help: "Write a JSON object.")
    var json = false

    /// The directory that the option names, else that of the daemon that runs; nil for the standard one.
    ///
    /// - Parameter state: The state directory of that daemon, if the user named it.
    func directory(state: String? = nil) async -> String? {
        if let config { return config }
        return await RunningDaemon.answering(state: state)?.config
    }

    /// The files of a directory.
    func files(in directory: String?) throws(EditRefusal) -> ConfigFiles {
        try ConfigFiles(
            config: directory, allowsInsecurePermissions: insecurePermissions, sinks: Daemon.standardSinks)
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
