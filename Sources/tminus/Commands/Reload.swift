internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus reload`
struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have the directory read again at once.",
        discussion: """
            The daemon sees every change by itself; this is for file systems that say nothing, and for scripts that want to know. \
            With --wait the exit status is 65 if a file has an error.
            """
    )

    @Flag(help: "Wait until what is there now is in force.")
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
                : wait ? StatusText.line(live) + "\n" : "reading the directory again\n")
        if wait, !live.isInOrder { throw ExitStatus.badData }
    }
}
