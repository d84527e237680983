internal import ArgumentParser
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// `tminus restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the store and the definitions.",
        discussion: """
            The daemon must be stopped. The archive is read through first: what is damaged, cut off or of a newer tminus is \
            refused, and nothing is changed. The present store and config directory are kept beside the restored ones, with \
            '.before-restore-' and the time in their names.

            What was due between the backup and now may have been sent already. It is recorded as 'restored' and not sent. \
            With --catch-up it is sent as after a downtime, with the same ids, so that a receiver can tell what it has seen.

            To go back to an older tminus after an upgrade, give --store the copy that the upgrade made beside the store, such \
            as tminus.sqlite.before-M002.
            """
    )

    @Argument(help: "The archive that 'tminus backup' wrote.")
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A copy of a store, in the place of an archive. The definitions stay as they are.", valueName: "file"))
    var store: String?

    @OptionGroup var places: StorePlaces

    @Option(
        help: ArgumentHelp(
            "The store that is replaced: sqlite:PATH or a path. Default: tminus.sqlite in the state directory.",
            valueName: "url"))
    var into: String?

    @Flag(help: "Leave the config directory as it is.")
    var noConfig = false

    @Flag(help: "Send what was due since the backup.")
    var catchUp = false

    @Flag(help: "Finish a restore that was interrupted.")
    var resume = false

    @Flag(help: "Accept a state directory that other users can write.")
    var insecurePermissions = false

    func validate() throws {
        guard [file != nil, store != nil, resume].count(where: { $0 }) == 1 else {
            throw ValidationError("give the archive of a backup, or --store with a copy of a store, or --resume")
        }
    }

    func run() async throws {
        do {
            var places = self.places
            // Only the state directory is of concern.
            if file == nil || noConfig { places.config = places.config ?? "." }
            // Not those of a daemon that runs: the one to restore has been stopped.
            let options = try DaemonOptions(config: places.config, state: places.state, store: into)
            if resume {
                try Restore.resume(
                    stateDirectory: options.stateDirectory, allowsInsecurePermissions: insecurePermissions)
                return try StandardOutput.write("finished the restore; start the daemon with 'tminus run'\n")
            }
            let source: Restore.Source =
                if let store { .store(MachinePaths.absolute(store)) } else {
                    .backup(MachinePaths.absolute(file ?? ""))
                }
            let path = try options.storeFile(
                for: "tminus restore", instead: "restore a dump of the database with 'psql'")
            let result = try await Restore(
                source: source, config: noConfig ? nil : options.configDirectory,
                stateDirectory: options.stateDirectory, storePath: path, catchesUp: catchUp,
                allowsInsecurePermissions: insecurePermissions
            ).run(now: TimerFDClock.now)
            try StandardOutput.write(text(of: result))
        } catch let error as ToolError {
            throw reported(error)
        } catch let error as DaemonError {
            throw reported(error)
        }
    }

    private func text(of result: Restore.Result) -> String {
        var lines = ["restored the \(result.origin.map { "backup of \($0)" } ?? "store")"]
        lines += result.aside.map { "the former one is now \($0)" }
        if !catchUp {
            lines.append("what was due until now is not sent, because it may have been already")
            if result.discarded > 0 {
                let count = result.discarded
                lines.append(
                    "\(count) undelivered deliver\(count == 1 ? "y was" : "ies were") discarded; 'tminus deliveries retry' sends one after all"
                )
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
