internal import ArgumentParser
internal import TminusControl

/// `tminus list`
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all countdowns: upcoming, running, expired.",
        discussion: """
            The dot before an id has the colour of the next reminder's lead: a week, a day, an hour, 30 minutes, 5 minutes \
            or less. It is hollow if no reminder is to come. The 'color' of a definition replaces it. A mark '!' and a \
            line at the end show what fails: a definition with dead letters or retries, a broken file.
            """, aliases: ["ls"])

    @Flag(help: "Write a JSON array, one item a line.")
    var json = false

    @OptionGroup var display: DisplayOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let (bytes, problems) = try await control.ask { client -> ([UInt8], [String]) in
            let bytes = try await client.itemsJSON(outcomes: true)
            guard !json else { return (bytes, []) }
            let status = try await client.status()
            return (bytes, status.problems + status.files.compactMap(\.problem))
        }
        if json { return try StandardOutput.write(bytes[...]) }
        let list = try ControlClient.items(bytes)
        StandardError.shared.warn(of: list.unreadable)
        try StandardOutput.write(display.list(list.items, problems: problems))
    }
}
