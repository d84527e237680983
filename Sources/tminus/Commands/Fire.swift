internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus fire`
struct Fire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fire", abstract: "Send an action now, to try it.",
        discussion: """
            The expiry is sent, or the alert of a stopwatch, or with --reminder that reminder. The schedule stays as it is. Who \
            gets it sees that it is a test: 'data.test' is true, and the message begins with 'Test:', unless the sink has a \
            'message' of its own.

            --dry-run shows the CloudEvent, before the 'message' and 'body' of a sink change what it is sent.

              tminus fire tea
              tminus fire launch --reminder '1 day' --sink team-chat --dry-run
            """)

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Option(help: ArgumentHelp("The reminder of that lead time, such as '1 day'.", valueName: "lead"))
    var reminder: String?

    @Option(help: "To that sink alone: a name, or a kind such as 'shell'.")
    var sink: String?

    @Flag(help: "Send nothing; write what each sink would be sent.")
    var dryRun = false

    @Flag(help: "Write the answer as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let body = FireBody(reminder: reminder, sink: sink, isDryRun: dryRun)
        let answer = try await control.ask { try await $0.fire(id, body) }
        if json {
            return try StandardOutput.write(String(decoding: try ControlJSON.encode(answer), as: UTF8.self) + "\n")
        }
        let lines = answer.deliveries.map { dryRun ? "\($0.sink): \($0.event)" : "\($0.sink): sent as \($0.id)" }
        try StandardOutput.write(lines.map { SafeText.line($0) + "\n" }.joined())
    }
}
