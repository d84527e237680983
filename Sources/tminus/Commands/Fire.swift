internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus fire`
struct Fire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fire", abstract: "Send an action now, as a test.",
        discussion: """
            Sends the expiry, or a stopwatch's alert, or the reminder given by --reminder. The schedule does not \
            change. The payload is marked as a test: 'data.test' is true, and the message begins with 'Test:' unless \
            the sink has its own 'message'.

            --dry-run prints the CloudEvent without sending it. A sink's own 'message' and 'body' are not applied to \
            it.

              tminus fire tea
              tminus fire launch --reminder '1 day' --sink team-chat --dry-run
            """)

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Option(help: ArgumentHelp("Send the reminder with this lead time, such as '1 day'.", valueName: "lead"))
    var reminder: String?

    @Option(help: "Send only to this sink: a name, or a kind such as 'shell'.")
    var sink: String?

    @Flag(help: "Print what each sink would receive, and send nothing.")
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
