internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus timer`
struct TimerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer", abstract: "Start a timer without a file.",
        discussion: """
              tminus timer 25m --name focus --then 'notify-send done'

            The timer survives restarts and appears in every listing. Without --then, its expiry is a line on the \
            daemon's standard output.
            """
    )

    @Argument(help: ArgumentHelp("The duration, such as 25m, 1h 30m or 1:30:00.", valueName: "duration"))
    var words: [String]

    @Option(help: "The name. The id is derived from it.")
    var name: String?

    @Option(help: "A command line that /bin/sh runs at the expiry.")
    var then: String?

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let body = AdHocBody(name: name, duration: words.joined(separator: " "), then: then)
        let item = try await control.ask { try await $0.add(body, as: "timers") }
        try StandardOutput.write(
            json ? String(decoding: item.json, as: UTF8.self) + "\n" : AnswerText.line(item) + "\n")
    }
}

/// `tminus stopwatch`
struct StopwatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stopwatch", abstract: "Start a stopwatch without a file.")

    @Option(help: "The name. The id is derived from it.")
    var name: String?

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let body = AdHocBody(name: name)
        let item = try await control.ask { try await $0.add(body, as: "stopwatches") }
        try StandardOutput.write(
            json ? String(decoding: item.json, as: UTF8.self) + "\n" : AnswerText.line(item) + "\n")
    }
}
