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
        if json { return try await control.ask(writeJSON) }
        let list = try await control.ask { try await $0.items() }
        StandardError.shared.warn(of: list.unreadable)
        try StandardOutput.write(styled: display.list(list.items))
    }

    /// Writes page by page, so a million items need no more memory than ten thousand.
    private func writeJSON(_ client: ControlClient) async throws {
        var joined = JoinedArrays()
        try await client.forEachPage { try StandardOutput.write(joined.add($0)[...]) }
        try StandardOutput.write(joined.end()[...])
    }
}
