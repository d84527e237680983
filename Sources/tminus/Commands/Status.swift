internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus status`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell how the daemon does: what is in force, and what is wrong with which file.",
        discussion:
            "Exit status 74 if the store cannot be written, and 65 if not all that the directory has is in force."
    )

    @Flag(help: "Write a JSON object.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let status = try await control.ask { try await $0.status() }
        try StandardOutput.write(
            json ? String(decoding: try ControlJSON.encode(status), as: UTF8.self) + "\n" : StatusText.render(status))
        if !status.storeProblems.isEmpty { throw ExitStatus.inputOutput }
        if !status.live.isInOrder { throw ExitStatus.badData }
    }
}
