internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal

/// The arguments shared by all control commands.
struct ControlArguments: ParsableArguments {
    @Argument(help: "The id of the event, timer or stopwatch.", completion: IDCompletion.kind)
    var id: String

    @Option(help: "The reason, recorded for later readers.")
    var note: String?

    @Flag(help: "Write the item as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    /// Sends the control to the daemon and prints the item's new state.
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
        commandName: "pause", abstract: "Pause a running timer or stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("pause") }
}

/// `tminus resume`
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume a paused timer or stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("resume") }
}

/// `tminus stop`
struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End a running timer without an expiry, or stop a stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("stop") }
}

/// `tminus reset`
struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Reset to the beginning: a running timer restarts, a stopwatch stops at zero without laps.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("reset") }
}

/// `tminus lap`
struct Lap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lap", abstract: "Record a lap of a running stopwatch.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("lap") }
}

/// `tminus skip`
struct Skip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Send nothing for the next occurrence. Ends a snooze; 'tminus unmute' undoes it.")
    @OptionGroup var arguments: ControlArguments
    func run() async throws { try await arguments.perform("skip") }
}
