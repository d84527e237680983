internal import ArgumentParser
internal import TminusControl

/// `tminus list`
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all countdowns: upcoming, running, expired.",
        discussion: """
            The dot before an id has the colour of the next reminder's lead: a week, a day, an hour, 30 minutes, 5 minutes \
            or less. It is hollow if no reminder is to come. The 'color' of a definition replaces it. A mark '!' and a \
            line at the end show what fails: a definition with dead deliveries or retries, a broken file.
            """, aliases: ["ls"])

    @Flag(help: "Write a JSON array, one item a line.")
    var json = false

    @OptionGroup var display: DisplayOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        if json { return try await control.ask(writeJSON) }
        let (list, problems) = try await control.ask { client in
            let (list, status) = (try await client.items(outcomes: true), try await client.status())
            return (list, status.problems + status.files.compactMap(\.problem))
        }
        StandardError.shared.warn(of: list.unreadable)
        try StandardOutput.write(styled: display.list(list.items, problems: problems))
    }

    /// Writes page by page, so a million items need no more memory than five thousand.
    private func writeJSON(_ client: ControlClient) async throws {
        var joined = JoinedArrays()
        try await client.forEachPage(outcomes: true) { try StandardOutput.write(joined.add($0)[...]) }
        try StandardOutput.write(joined.end()[...])
    }
}
