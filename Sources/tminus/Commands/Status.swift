internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus status`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the daemon's health: what is in force, the problems of each file, undelivered deliveries.",
        discussion: """
            Exit status: 74 if the store cannot be written, 65 if part of the directory's content is not in force.

            With --exit-code, for scripts and probes: 0 if all is well, 1 if something needs a person. Then each reason is \
            written as one line: the store cannot be written, a file is broken, there are dead letters, or deliveries wait \
            for a sink that no file declares. Each reason goes away when it has been dealt with. Deliveries that are \
            retried need no person yet. The exit status is 69 if no daemon answers.

              tminus status --exit-code || mail -s tminus admin
            """
    )

    @Flag(help: "Write a JSON object, with the last outcome of each definition.")
    var json = false

    @Flag(help: "Write only what needs a person, and exit with 1 if something does.")
    var exitCode = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let status = try await control.ask { try await $0.status(definitions: json) }
        let text = exitCode ? StatusText.attention(status) : StatusText.render(status)
        try StandardOutput.write(json ? String(decoding: try ControlJSON.encode(status), as: UTF8.self) + "\n" : text)
        guard !exitCode else {
            if !status.attention.isEmpty { throw ExitStatus.needsAttention }
            return
        }
        if !status.storeProblems.isEmpty { throw ExitStatus.inputOutput }
        if !status.live.isInOrder { throw ExitStatus.badData }
    }
}
