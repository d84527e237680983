internal import ArgumentParser
internal import TminusControl

/// `tminus start`
struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a timer or stopwatch, or lengthen a running timer with --add.",
        discussion: """
            What runs already goes on as it is: starting twice never makes a second countdown. What is paused goes on where it \
            was. A timer that has expired runs again.

            --add lengthens a running timer, and a paused one, which stays paused; one that has expired, or waits, starts anew \
            with that much more than its duration.
            """
    )

    @OptionGroup var arguments: ControlArguments

    @Option(help: ArgumentHelp("Lengthen the countdown, for example by '2m'.", valueName: "duration"))
    var add: String?

    func run() async throws { try await arguments.perform("start", ControlBody(add: add)) }
}
