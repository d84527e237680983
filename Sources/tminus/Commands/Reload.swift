internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus reload`
struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Re-read the config directory now.",
        discussion: """
            The daemon notices changes by itself. Use this for file systems without change notification, and in \
            scripts. With --wait, the exit status is 65 if a file has an error.
            """
    )

    @Flag(help: "Wait until the current content of the directory is in force.")
    var wait = false

    @Flag(help: "Write a JSON object.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let live = try await control.ask { try await $0.reload(waits: wait) }
        try StandardOutput.write(
            json
                ? String(decoding: try ControlJSON.encode(live), as: UTF8.self) + "\n"
                : wait ? live.line + "\n" : "reload requested\n")
        if wait, !live.isInOrder { throw ExitStatus.badData }
    }
}
