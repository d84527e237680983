internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal
internal import TminusTooling

/// `tminus history`
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the outcome of a definition's past occurrences, newest first.")

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @OptionGroup var page: PageOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let (entries, zones) = try await control.ask { client in
            let entries = try await client.history(id, limit: page.limit)
            return (entries, try await client.zones(of: page.json ? [] : [id]))
        }
        try page.write(entries) { HistoryText.render($0, zone: zones[id] ?? MachineZone.current) }
    }
}
