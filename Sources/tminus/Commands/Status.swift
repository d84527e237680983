internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus status`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the daemon's health: what is in force, and the problems of each file.",
        discussion:
            "Exit status: 74 if the store cannot be written, 65 if part of the directory's content is not in force."
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
