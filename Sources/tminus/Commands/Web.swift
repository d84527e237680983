internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus web`
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Sign a browser in, and show who is signed in.",
        discussion: """
              tminus web
              tminus web --level control

            The daemon must run with --listen. A link signs one browser in, once and within a minute. 'list' shows who is \
            signed in, and 'end' signs a browser out.
            """,
        subcommands: [WebLink.self, WebSessions.self, EndWebSession.self], defaultSubcommand: WebLink.self
    )
}

/// `tminus web link`
struct WebLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Write a link to standard output that signs a browser in, for each address.")

    @Option(
        help: ArgumentHelp("What the browser may do: \(AccessLevel.names). Default: read.", valueName: "level"),
        transform: AccessLevel.given)
    var level = AccessLevel.read

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let answer = try await control.ask { try await $0.code(level) }
        try StandardOutput.write(answer.links.map { "\($0)\n" }.joined())
    }
}

/// `tminus web list`
struct WebSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the browsers that are signed in, the last used first.")

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let zone = MachineZone.current
        for session in try await control.ask({ try await $0.sessions() }) {
            let (used, ends) = (HistoryText.local(session.used, zone), HistoryText.local(session.ends, zone))
            try StandardOutput.write(
                "\(session.id)  \(session.name)  \(session.level)  from \(session.address)  used \(used)  until \(ends)\n"
            )
        }
    }
}

/// `tminus web end`
struct EndWebSession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "Sign a browser out.")

    @Argument(help: "The digits with which 'tminus web list' begins its line.")
    var id: String

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        try await control.ask { try await $0.endSession(id) }
        try StandardOutput.write("ended session \(id)\n")
    }
}
