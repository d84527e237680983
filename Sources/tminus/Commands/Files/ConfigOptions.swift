internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// Which definition files a command works on.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory with the definitions. Default: the directory that 'tminus run' would watch.",
            valueName: "dir"
        ))
    var config: String?

    @Option(help: ArgumentHelp("The file, below that directory.", valueName: "file"))
    var file: String?

    @Flag(help: "Accept definitions that other users can write.")
    var insecurePermissions = false

    @Flag(help: "Write a JSON object.")
    var json = false

    /// The files of the directory.
    func files() throws(EditRefusal) -> ConfigFiles {
        try ConfigFiles(
            config: config, allowsInsecurePermissions: insecurePermissions, sinks: Daemon.standardSinks)
    }
}

/// Runs a change of files; why it was refused goes to standard error, with what is wrong and where.
func reportingRefusals(_ change: () throws -> Void) throws {
    do {
        try change()
    } catch let refusal as EditRefusal {
        StandardError.shared.write(
            DiagnosticFormat.text.render(refusal.diagnostics) + "tminus: \(refusal.error)\n")
        StandardError.shared.flush()
        throw ExitStatus.code(of: refusal.error)
    }
}
