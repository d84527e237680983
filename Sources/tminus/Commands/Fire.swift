internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal
internal import TminusTooling

/// `tminus fire`
struct Fire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fire", abstract: "Send an action now, to try it.",
        discussion: """
            The expiry is sent, or the alert of a stopwatch, or with --reminder that reminder. The schedule stays as it is. Who \
            gets it sees that it is a test: 'data.test' is true, and the message begins with 'Test:', unless the sink has a \
            'message' of its own.

            The command waits until each sink has taken it or failed, for as long as the time limit of the sink allows. It ends \
            with status 0 if all of them have taken it, else with 1. --no-wait ends it once the deliveries are written.

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

    @Flag(inversion: .prefixedNo, help: "Wait for the outcome of each delivery.")
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
            try StandardOutput.write(String(decoding: try ControlJSON.encode(answer), as: UTF8.self) + "\n")
        } else if body.waits {
            let zone = zones[id] ?? MachineZone.current
            try StandardOutput.write(FireText.outcomes(answer, of: id, waited: ContinuousClock.now - start, zone: zone))
        } else {
            try StandardOutput.write(FireText.written(answer))
        }
        if body.waits, !answer.deliveries.allSatisfy({ $0.outcome == .delivered }) { throw ExitStatus.undelivered }
    }
}
