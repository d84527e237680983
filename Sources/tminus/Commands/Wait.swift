internal import ArgumentParser
internal import TminusControl
internal import TminusTerminal

/// `tminus wait`
struct Wait: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until a generation of definitions is in force.",
        discussion: """
            'tminus status' shows the generation. The first content in force after the daemon's start is generation 1, \
            and each change adds one. Exit status: 74 if the generation is not reached in time.
            """
    )

    @Option(help: "The generation to wait for.")
    var generation = 1

    @Option(help: ArgumentHelp("The longest time to wait.", valueName: "seconds"))
    var timeout = 3_600

    @Flag(help: "Write a JSON object.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func validate() throws {
        if generation < 0 { throw ValidationError("--generation must not be negative") }
        if !(1...3_600).contains(timeout) { throw ValidationError("--timeout must be from 1 to 3600") }
    }

    func run() async throws {
        let live = try await control.ask { try await $0.wait(generation: generation, seconds: timeout) }
        try StandardOutput.write(
            json ? String(decoding: try ControlJSON.encode(live), as: UTF8.self) + "\n" : live.line + "\n")
    }
}
