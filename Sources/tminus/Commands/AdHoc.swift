internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus timer`
struct TimerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer", abstract: "Start a timer without a file.",
        discussion: """
              tminus timer 25m --name focus --then 'notify-send done'

            It is kept over restarts and listed with the rest; without --then its end is a line on the standard output of the \
            daemon.
            """
    )

    @Argument(help: ArgumentHelp("How long it runs, such as 25m, 1h 30m or 1:30:00.", valueName: "duration"))
    var words: [String]

    @Option(help: "Its name; the id is made of it.")
    var name: String?

    @Option(help: "A command line for /bin/sh at the end.")
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

    @Option(help: "Its name; the id is made of it.")
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
