internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus why`
struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain the outcome of an occurrence: the last one, or the one at a given time.",
        discussion: """
            Every occurrence has exactly one outcome: delivered, failed, missed (too late) or skipped (paused, muted, \
            snoozed, disabled, removed by an edit and the like). The controls since the occurrence before it follow, with \
            the user and the note.
            """
    )

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Argument(
        help: ArgumentHelp(
            "'2026-12-01 09:00' in the definition's time zone, or with an offset. Without seconds, the whole minute; a date alone, the whole day.",
            valueName: "time"))
    var time: String?

    @Flag(help: "Write a JSON array, one object for each action, with its deliveries.")
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
        let (all, deliveries, zones) = try await control.ask { client in
            let all = try await client.history(id, limit: 1_000)
            let deliveries = try await client.deliveries(definition: id, limit: 1_000)
            return (all, deliveries, try await client.zones(of: [id]))
        }
        let zone = zones[id] ?? MachineZone.current
        let history = all.filter { !$0.isControl }
        let entries = HistoryText.entries(history, of: asked?.span(in: zone), now: MachineZone.now)
        let answers = entries.map { WhyAnswer($0, among: deliveries) }
        let controls = HistoryText.controls(all.filter(\.isControl), of: entries, among: history)
        if answers.isEmpty, asked != nil || controls.isEmpty {
            let when = asked.map { " at \(time ?? "") (\($0.words(in: zone)))" } ?? ""
            StandardError.shared.write(
                "tminus: no occurrence of '\(id)'\(when) is recorded; 'tminus history \(id)' lists those that are\n")
            StandardError.shared.flush()
            throw ExitStatus.badData
        }
        if json {
            let all = answers + controls.map { WhyAnswer($0, among: []) }
            return try StandardOutput.write(String(decoding: try ControlJSON.encode(all), as: UTF8.self) + "\n")
        }
        try StandardOutput.write(HistoryText.explain(answers, controls: controls, zone: zone))
    }
}
