internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusDaemon
internal import TminusTerminal

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
            "'2026-12-01 09:00' on the clock of this machine, or with an offset. A date alone: all of that day.",
            valueName: "time"))
    var time: String?

    @Flag(help: "Write a JSON array.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let zone = MachineZone.current
        let wanted = try time.map { try Self.span($0, in: zone) }
        let (entries, deliveries, zones) = try await control.ask { client in
            let history = try await client.history(id, limit: 1_000)
            let deliveries = try await client.deliveries(definition: id, limit: 1_000)
            let zones = try await client.zones(of: json ? [] : [id])
            return (HistoryText.entries(history, of: wanted), deliveries, zones)
        }
        if entries.isEmpty {
            let when = time.map { " at \($0)" } ?? ""
            StandardError.shared.write(
                "tminus: nothing is known of an occurrence of '\(id)'\(when); 'tminus history \(id)' lists what is\n")
            StandardError.shared.flush()
            throw ExitStatus.badData
        }
        if json {
            return try StandardOutput.write(String(decoding: try ControlJSON.encode(entries), as: UTF8.self) + "\n")
        }
        try StandardOutput.write(HistoryText.explain(entries, deliveries, zone: zones[id] ?? zone))
    }

    /// The instants that a text means: a day, a minute where no seconds are given, or one instant.
    private static func span(_ text: String, in zone: Zone) throws -> ClosedRange<Timestamp> {
        switch DateOrTime.parse(text) {
        case .success(.day(let day)):
            let next = day.adding(months: 0, days: 1)
            return zone.instant(of: day)...zone.instant(of: next).advanced(by: .nanoseconds(-1))
        case .success(.local(let local)): return minute(zone.instant(of: local))
        case .success(.instant(let instant)): return minute(instant)
        case .failure(let problem): throw ValidationError(problem.message)
        }
    }

    private static func minute(_ start: Timestamp) -> ClosedRange<Timestamp> {
        start...start.advanced(by: start.nanoseconds % 60_000_000_000 == 0 ? .nanoseconds(59_999_999_999) : .zero)
    }
}
