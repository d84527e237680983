internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal

/// `tminus unmute`
struct Unmute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "End a mute, a skip and a snooze: of one definition, or of all that are muted.")

    @Argument(help: "The id of the event, timer or stopwatch. Without one, all that are muted.")
    var id: String?

    @Option(help: "Why, for others who look later.")
    var note: String?

    @Flag(help: "Write the items as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let body = ControlBody(note: note)
        let items = try await control.ask { client in
            let ids: [String]
            if let id {
                ids = [id]
            } else {
                ids = try await client.items().filter { $0.overrides.mute != nil }.map(\.id)
            }
            var items: [Item] = []
            for id in ids { items.append(try await client.perform("unmute", id, body)) }
            return items
        }
        if json {
            try StandardOutput.write(
                id == nil ? Item.json(items)[...] : (items.flatMap(\.json) + Array("\n".utf8))[...])
        } else if id == nil {
            try StandardOutput.write("unmuted: \(items.count)\n")
        } else {
            try StandardOutput.write(items.map { AnswerText.line($0, after: "unmute") + "\n" }.joined())
        }
    }
}
