internal import ArgumentParser
internal import TminusControl

/// `tminus start`
struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a timer or stopwatch, or lengthen a running timer with --add.",
        discussion: """
            A running item keeps running: a second start never makes a second countdown. A paused item resumes where \
            it was. An expired timer runs again.

            --add lengthens a running or paused timer; a paused one stays paused. An expired or waiting timer starts \
            again with its duration plus that much.
            """
    )

    @OptionGroup var arguments: ControlArguments

    @Option(help: ArgumentHelp("Lengthen the countdown by this much, such as '2m'.", valueName: "duration"))
    var add: String?

    func run() async throws { try await arguments.perform("start", ControlBody(add: add)) }
}
