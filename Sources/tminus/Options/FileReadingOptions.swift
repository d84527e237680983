internal import ArgumentParser
internal import TminusTooling

/// The options that restrict which definition files are read.
struct FileReadingOptions: ParsableArguments {
    /// The largest file that is read unless the option names another size, in bytes.
    static let usualFileSize = 1 << 20

    @Option(help: ArgumentHelp("The largest definition file to read.", valueName: "bytes"))
    var maxFileSize = usualFileSize

    @Flag(help: "Accept files and directories that other users can write. They can then run commands as you.")
    var insecurePermissions = false

    func validate() throws {
        if maxFileSize < 1 { throw ValidationError("--max-file-size must be at least 1") }
    }

    /// Sets the limits for reading the files of a directory.
    func apply(to directory: inout ConfigDirectory) {
        directory.maxFileSize = maxFileSize
        directory.allowsInsecurePermissions = insecurePermissions
    }
}
