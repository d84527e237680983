internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon
internal import TminusTerminal

/// `tminus history`
struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what became of the past occurrences of a definition, newest first.")

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Option(name: .customShort("n"), help: ArgumentHelp("How many at the most.", valueName: "count"))
    var limit = 20

    @Flag(help: "Write a JSON array.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func validate() throws {
        if !(1...1_000).contains(limit) { throw ValidationError("-n must be from 1 to 1000") }
    }

    func run() async throws {
        let (entries, zones) = try await control.ask { client in
            let entries = try await client.history(id, limit: limit)
            return (entries, try await client.zones(of: json ? [] : [id]))
        }
        try StandardOutput.write(
            json
                ? String(decoding: try ControlJSON.encode(entries), as: UTF8.self) + "\n"
                : HistoryText.render(entries, zone: zones[id] ?? MachineZone.current))
    }
}
