internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus history`
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the outcomes of past occurrences and the controls of users, newest first.",
        discussion: "With an id, those of one definition, else those of all.")

    @Argument(help: "The id of the event, timer or stopwatch. Default: all of them.", completion: IDCompletion.kind)
    var id: String?

    @OptionGroup var page: PageOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let (entries, zones) = try await control.ask { client -> ([HistoryAnswer], [String: Zone]) in
            guard let id else {
                let entries = try await client.history(limit: page.limit)
                return (entries, try await client.zones(of: page.json ? [] : entries.compactMap(\.definition)))
            }
            let entries = try await client.history(id, limit: page.limit)
            return (entries, try await client.zones(of: page.json ? [] : [id]))
        }
        try page.write(entries) { entries in
            guard let id else { return HistoryText.render(entries, zones: zones, otherwise: MachineZone.current) }
            return HistoryText.render(entries, zone: zones[id] ?? MachineZone.current)
        }
    }
}
