internal import ArgumentParser
internal import TminusControl

/// `tminus show`
struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one countdown in detail: clock, ring, reminders, laps, recent deliveries.")

    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Flag(help: "Write JSON: the item with its rule, reminders, actions, sinks, deliveries and controls.")
    var json = false

    @OptionGroup var display: DisplayOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let bytes = try await control.ask { try await $0.detailsJSON(id) }
        if json { return try StandardOutput.write(bytes[...]) }
        let (item, details) = try ControlClient.details(bytes)
        try StandardOutput.write(styled: display.show(item, details))
    }
}
