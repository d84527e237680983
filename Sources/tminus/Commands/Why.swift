internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus why`
struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell what became of an occurrence, and why: the last one, or the one at a time.",
        discussion: """
            Every occurrence ends in exactly one of: delivered, failed, missed (it was too late), skipped (paused, muted, \
            snoozed, disabled, edited away and the like).
            """
    )

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Argument(
        help: ArgumentHelp(
            "'2026-12-01 09:00' on the clock of the definition, or with an offset. Without seconds: all of that minute. A date alone: all of that day.",
            valueName: "time"))
    var time: String?

    @Flag(help: "Write a JSON array, an object for each action with its deliveries.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let asked = try time.map { text in
            switch AskedTime.parse(text) {
            case .success(let asked): asked
            case .failure(let problem): throw ValidationError(problem.message)
            }
        }
        let (history, deliveries, zones) = try await control.ask { client in
            let history = try await client.history(id, limit: 1_000)
            let deliveries = try await client.deliveries(definition: id, limit: 1_000)
            return (history, deliveries, try await client.zones(of: [id]))
        }
        let zone = zones[id] ?? MachineZone.current
        let answers = HistoryText.entries(history, of: asked?.span(in: zone)).map { WhyAnswer($0, among: deliveries) }
        if answers.isEmpty {
            let when = asked.map { " at \(time ?? "") (\($0.words(in: zone)))" } ?? ""
            StandardError.shared.write(
                "tminus: nothing is known of an occurrence of '\(id)'\(when); 'tminus history \(id)' lists what is\n")
            StandardError.shared.flush()
            throw ExitStatus.badData
        }
        if json {
            return try StandardOutput.write(String(decoding: try ControlJSON.encode(answers), as: UTF8.self) + "\n")
        }
        try StandardOutput.write(HistoryText.explain(answers, zone: zone))
    }
}
