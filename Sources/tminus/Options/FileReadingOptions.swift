internal import ArgumentParser
internal import TminusDaemon

/// Which files a command reads as definitions.
struct FileReadingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The largest definition file that is read.", valueName: "bytes"))
    var maxFileSize = 1 << 20

    @Flag(help: "Accept files and directories that other users can write. They can then run commands as you.")
    var insecurePermissions = false

    func validate() throws {
        if maxFileSize < 1 { throw ValidationError("--max-file-size must be at least 1") }
    }

    /// Sets them in the options of a daemon.
    func apply(to options: inout DaemonOptions) {
        options.maxFileSize = maxFileSize
        options.allowsInsecurePermissions = insecurePermissions
    }
}
