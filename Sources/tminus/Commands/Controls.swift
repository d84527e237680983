internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal

/// What all controls have in common: an id, a note, and the item as the answer.
struct ControlArguments: ParsableArguments {
    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Option(help: "Why, for others who look later.")
    var note: String?

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    /// Has it done, and says how the item stands then.
    func perform(_ verb: String, _ body: ControlBody = ControlBody()) async throws {
        var body = body
        body.note = note
        let said = body
        let item = try await control.ask { try await $0.perform(verb, id, said) }
        try StandardOutput.write(
            json ? String(decoding: item.json, as: UTF8.self) + "\n" : AnswerText.line(item, after: verb) + "\n")
    }
}

/// `tminus pause`
struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Hold a running timer or stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("pause") }
}

/// `tminus resume`
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on with what is paused.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("resume") }
}

/// `tminus stop`
struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End a running timer without its expiry, or hold a stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("stop") }
}

/// `tminus reset`
struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Back to the beginning: a running timer begins anew, a stopwatch stands at zero without laps.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("reset") }
}

/// `tminus lap`
struct Lap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lap", abstract: "Note a lap of a running stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("lap") }
}

/// `tminus skip`
struct Skip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Send nothing of the next occurrence. 'tminus unmute' takes it back; a snooze ends with it.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("skip") }
}
