internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus timer`
struct TimerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer", abstract: "Start a timer without a file.",
        discussion: """
            Give a duration and a name, in either order.

              tminus timer 25m focus --then 'notify-send done'
              tminus timer 4m 'Green tea'

            The timer survives restarts and appears in every listing. Without --then, its expiry is a line on the \
            daemon's standard output.
            """
    )

    @Argument(help: "The duration, such as 25m, 1h 30m or 1:30:00, and the name.")
    var words: [String]

    @Option(help: ArgumentHelp("The id. Default: derived from the name.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The display name.", valueName: "text"))
    var name: String?

    @Option(help: "A command line that /bin/sh runs at the expiry.")
    var then: String?

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let words = try DurationWords(self.words)
        let given = GivenName(id: id, words: words.title, name: name)
        let body = AdHocBody(name: given.name, id: given.id, duration: words.duration, then: then)
        let item = try await control.ask { try await $0.add(body, as: "timers") }
        try StandardOutput.write(
            json ? String(decoding: item.json, as: UTF8.self) + "\n" : AnswerText.line(item) + "\n")
    }
}

/// `tminus stopwatch`
struct StopwatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stopwatch", abstract: "Start a stopwatch without a file.",
        discussion: """
              tminus stopwatch Morning run
            """
    )

    @Argument(help: "The name. The id is derived from it.")
    var title: [String] = []

    @Option(help: ArgumentHelp("The id. Default: derived from the name.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The display name.", valueName: "text"))
    var name: String?

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let given = GivenName(id: id, words: title.isEmpty ? nil : title.joined(separator: " "), name: name)
        let body = AdHocBody(name: given.name, id: given.id)
        let item = try await control.ask { try await $0.add(body, as: "stopwatches") }
        try StandardOutput.write(
            json ? String(decoding: item.json, as: UTF8.self) + "\n" : AnswerText.line(item) + "\n")
    }
}
