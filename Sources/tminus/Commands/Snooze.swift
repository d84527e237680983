internal import ArgumentParser
internal import TminusControl
internal import TminusCore

/// `tminus snooze`
struct Snooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Send the next expiry later. The occurrence itself does not move; a skip ends with it.")

    @OptionGroup var arguments: ControlArguments

    @Argument(
        help: ArgumentHelp(
            "How much later; \(CalendarSpan(nanoseconds: Control.standardSnooze.nanoseconds).text) unless given.",
            valueName: "duration"))
    var length: String?

    func validate() throws {
        guard let length else { return }
        switch CalendarSpan.parseDuration(length) {
        case .success(let time) where time > .zero: break
        case .success: throw ValidationError("'\(length)': a snooze must be longer than zero")
        case .failure(let problem): throw ValidationError("'\(length)': \(problem.message)")
        }
    }

    func run() async throws { try await arguments.perform("snooze", ControlBody(length: length)) }
}
