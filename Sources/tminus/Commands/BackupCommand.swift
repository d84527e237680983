internal import ArgumentParser
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// `tminus backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the store and the definitions to one tar archive.",
        discussion: """
            The daemon may run meanwhile. The archive has the store as it was at one moment, all files of the config \
            directory, and a manifest with the SHA-256 of each. Only its owner may read it, because it can contain secrets. \
            It is written beside its name and renamed when it is whole, so a failed backup leaves nothing behind.

            A link that leads out of the config directory is replaced by what it leads to. Files that are outside of the \
            directory, such as programs and secrets that definitions name, are not in the archive.
            """
    )

    @Argument(help: "The archive to write.")
    var file: String

    @OptionGroup var places: StorePlaces

    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH or a path. Default: tminus.sqlite in the state directory.", valueName: "url"))
    var store: String?

    @Flag(help: "Replace an archive that is there.")
    var force = false

    func run() async throws {
        do {
            let options = try await places.options(store: store)
            let target = MachinePaths.absolute(file)
            let path = try options.storeFile(
                for: "tminus backup",
                instead: "write it out with 'pg_dump --schema=tminus', and copy the config directory")
            let result = try await Backup(
                target: target, config: options.configDirectory, stateDirectory: options.stateDirectory,
                storePath: path, version: TminusVersion.current, replaces: force
            ).make(now: TimerFDClock.now)
            for note in result.notes { StandardError.shared.write("tminus: warning: \(note)\n") }
            try StandardOutput.write(
                "wrote \(target): the store and \(result.files) file\(result.files == 1 ? "" : "s"), \(result.size) bytes\n"
            )
        } catch let error as ToolError {
            throw reported(error)
        } catch let error as DaemonError {
            throw reported(error)
        }
    }
}
