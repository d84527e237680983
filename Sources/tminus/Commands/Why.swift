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
            "'2026-12-01 09:00' or 'yesterday 9:00' in the time zone of --tz, or with an offset. Without seconds, the whole minute; a date alone, the whole day.",
            valueName: "time"))
    var time: String?

    @Option(
        name: .zone,
        help: ArgumentHelp("The time zone of the time. Default: that of the definition.", valueName: "zone"))
    var timezone: String?

    @Flag(help: "Write a JSON array, one object for each action, with its deliveries.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let given = try timezone.map(GivenDate.zone)
        // First, so that a wrong time is reported without a daemon too.
        _ = try self.asked(in: given ?? MachineZone.current)
        let (all, deliveries, zones) = try await control.ask { client in
            let all = try await client.history(id, limit: 1_000)
            let deliveries = try await client.deliveries(definition: id, limit: 1_000)
            return (all, deliveries, try await client.zones(of: [id]))
        }
        let zone = given ?? zones[id] ?? MachineZone.current
        let asked = try self.asked(in: zone)
        if let asked, asked.isLocal {
            StandardError.shared.write("tminus: time: \(asked.words(in: zone)) \(zone.name)\n")
        }
        let history = all.filter { !$0.isControl }
        let entries = HistoryText.entries(history, of: asked?.span(in: zone), now: MachineZone.now)
        let answers = entries.map { WhyAnswer($0, among: deliveries) }
        let controls = HistoryText.controls(all.filter(\.isControl), of: entries, among: history)
        if answers.isEmpty, asked != nil || controls.isEmpty {
            let when = asked.map { " at \(time ?? "") (\($0.words(in: zone)))" } ?? ""
            StandardError.shared.write(
                "tminus: no occurrence of '\(id)'\(when) is recorded; 'tminus history \(id)' lists those that are\n")
            throw ExitStatus.badData
        }
        if json {
            let all = answers + controls.map { WhyAnswer($0, among: []) }
            return try StandardOutput.write(String(decoding: try ControlJSON.encode(all), as: UTF8.self) + "\n")
        }
        try StandardOutput.write(HistoryText.explain(answers, controls: controls, zone: zone))
    }

    /// The time that was asked for; a local one is in `zone`.
    private func asked(in zone: Zone) throws -> AskedTime? {
        try time.map { text in
            switch AskedTime.parse(text, now: MachineZone.now, zone: zone) {
            case .success(let asked): asked
            case .failure(let problem): throw ValidationError(problem.message)
            }
        }
    }
}
