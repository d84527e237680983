internal import ArgumentParser
internal import TminusControl

/// `tminus show`
struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one countdown in detail: clock, ring, reminders, laps, recent deliveries.")

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup var display: DisplayOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    /// The number of deliveries shown.
    private static let deliveries = 5

    func run() async throws {
        let (item, deliveries) = try await control.ask { client in
            async let item = client.item(id)
            async let deliveries = json ? [] : client.deliveries(definition: id, limit: Self.deliveries)
            return try await (item, deliveries)
        }
        if json { return try StandardOutput.write((item.json + Array("\n".utf8))[...]) }
        try StandardOutput.write(styled: display.show(item, deliveries))
    }
}
