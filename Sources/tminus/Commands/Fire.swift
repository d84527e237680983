internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus fire`
struct Fire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fire", abstract: "Send an action now, as a test.",
        discussion: """
            Sends the expiry, or a stopwatch's alert, or the reminder given by --reminder. The schedule does not \
            change. The payload is marked as a test: 'data.test' is true, and the message begins with 'Test:' unless \
            the sink has its own 'message'.

            Waits until each sink has accepted its delivery or failed, up to the time limit of the sink. The exit status \
            is 0 if every sink accepted its delivery, else 1. A delivery that is shown as dead is discarded, so that 'tminus \
            status' does not tell of it again. --no-wait does not wait, and a dead delivery stays dead.

            --dry-run sends nothing. It prints what each sink would send: the CloudEvent, or the text of its own \
            'message' or 'body', with (secret) in place of each secret.

              tminus fire tea
              tminus fire launch --reminder '1 day' --sink team-chat --dry-run
            """)

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Option(help: ArgumentHelp("Send the reminder with this lead time, such as '1 day'.", valueName: "lead"))
    var reminder: String?

    @Option(help: "Send only to this sink: a name, or a kind such as 'shell'.")
    var sink: String?

    @Flag(help: "Print what each sink would send, and send nothing.")
    var dryRun = false

    @Flag(inversion: .prefixedNo, help: "Whether to wait for the outcome of each delivery.")
    var wait = true

    @Flag(help: "Write the answer as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let body = FireBody(reminder: reminder, sink: sink, isDryRun: dryRun, waits: wait && !dryRun)
        let start = ContinuousClock.now
        let (answer, zones) = try await control.ask { client in
            (try await client.fire(id, body), try await client.zones(of: json || !body.waits ? [] : [id]))
        }
        if json {
            try StandardOutput.write(String(decoding: answer.json, as: UTF8.self) + "\n")
        } else if body.waits {
            let zone = zones[id] ?? MachineZone.current
            try StandardOutput.write(FireText.outcomes(answer, of: id, waited: ContinuousClock.now - start, zone: zone))
        } else {
            try StandardOutput.write(FireText.written(answer))
        }
        if body.waits, !answer.deliveries.allSatisfy({ $0.outcome == .delivered }) { throw ExitStatus.undelivered }
    }
}
