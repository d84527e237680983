internal import ArgumentParser
internal import TminusControl
internal import TminusCore

/// `tminus snooze`
struct Snooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Send the next expiry later. The occurrence itself does not move.")

    @OptionGroup var arguments: ControlArguments

    @Argument(
        help: ArgumentHelp(
            "How much later; \(CalendarSpan(nanoseconds: Control.standardSnooze.nanoseconds).text) unless given.",
            valueName: "duration"))
    var length: String?

    func run() async throws { try await arguments.perform("snooze", ControlBody(length: length)) }
}
