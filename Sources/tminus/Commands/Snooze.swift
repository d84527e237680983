internal import ArgumentParser
internal import TminusControl
internal import TminusCore

/// `tminus snooze`
struct Snooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Control.Verb.snooze.rawValue,
        abstract: "Send the next expiry later. Ends a skip. The occurrence itself does not move.")

    @OptionGroup var arguments: ControlArguments

    @Argument(
        help: ArgumentHelp(
            "The delay. Default: \(CalendarSpan(nanoseconds: Control.standardSnooze.nanoseconds).text).",
            valueName: "duration"))
    var length: String?

    func validate() throws {
        guard let length else { return }
        switch CalendarSpan.parseExactDuration(length) {
        case .success(let time) where time > .zero: break
        case .success: throw ValidationError("'\(length)': a snooze must be longer than zero")
        case .failure(let problem): throw ValidationError("'\(length)': \(problem.message)")
        }
    }

    func run() async throws { try await arguments.perform(.snooze, ControlBody(length: length)) }
}
