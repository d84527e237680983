internal import ArgumentParser
internal import TminusControl

/// `tminus list`
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all countdowns: upcoming, running, expired.", aliases: ["ls"])

    @Flag(help: "Write a JSON array, one item a line.")
    var json = false

    @OptionGroup var display: DisplayOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let bytes = try await control.ask { try await $0.itemsJSON() }
        if json { return try StandardOutput.write(bytes[...]) }
        let list = try ControlClient.items(bytes)
        StandardError.shared.warn(of: list.unreadable)
        try StandardOutput.write(styled: display.list(list.items))
    }
}
