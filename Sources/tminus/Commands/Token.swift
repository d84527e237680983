internal import ArgumentParser
internal import TminusCore
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// `tminus token`
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and remove tokens for HTTP.",
        discussion: """
              tminus token add lobby
              tminus token add laptop --level control
              tminus token remove lobby

            A program sends its token as 'Authorization: Bearer'. The file has only the SHA-256 of each, so a token is \
            shown once, when it is made. A running daemon notices changes of the file.
            """,
        subcommands: [AddToken.self, ListTokens.self, RemoveToken.self]
    )
}

/// `tminus token add`
struct AddToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a token and write it to standard output, once.")

    @Argument(help: "Who will have it; log and history show this name.")
    var name: String

    @Option(
        help: ArgumentHelp("What it allows: \(AccessLevel.names). Default: read.", valueName: "level"),
        transform: AccessLevel.given)
    var level = AccessLevel.read

    @OptionGroup var place: TokenPlace

    func validate() throws {
        guard AccessToken.isName(name) else {
            throw ValidationError("'\(VisibleText.line(name))' cannot be a name: \(DefinitionID.rule(brokenBy: name))")
        }
    }

    func run() async throws {
        let (token, secret) = AccessToken.make(name, level, now: TimerFDClock.now)
        let file = try await place.file()
        try reportingFailure { () throws(ToolError) in try file.add(token) }
        try StandardOutput.write(secret + "\n")
    }
}

/// `tminus token list`
struct ListTokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the names of the tokens, with their levels and the days they were made.")

    @OptionGroup var place: TokenPlace

    func run() async throws {
        let file = try await place.file()
        guard file.exists else { return }
        let list = try reportingFailure { () throws(ToolError) in
            try file.read(allowsInsecurePermissions: true)
        }
        let width = list.tokens.map(\.name.count).max() ?? 0
        for token in list.tokens {
            let name = token.name + String(repeating: " ", count: max(0, width - token.name.count))
            let level = token.level.rawValue
            try StandardOutput.write(
                "\(name)  \(level)\(String(repeating: " ", count: max(0, 7 - level.count)))  \(token.made)\n")
        }
        for problem in list.problems { StandardError.shared.write("tminus: warning: \(file.path): \(problem)\n") }
    }
}

/// `tminus token remove`
struct RemoveToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a token. Who has it is let in no more, and its sessions end.")

    @Argument(help: "The name of the token.")
    var name: String

    @OptionGroup var place: TokenPlace

    func run() async throws {
        let file = try await place.file()
        try reportingFailure { () throws(ToolError) in try file.remove(name) }
        try StandardOutput.write("removed token '\(name)'\n")
    }
}

/// The options for the place of the token file.
struct TokenPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file with the tokens. Default: tokens in the state directory.", valueName: "file"))
    var tokens: String?

    @Option(help: ArgumentHelp("The state directory. Default: \(RunningDaemon.defaultState)", valueName: "dir"))
    var state: String?

    /// The token file of the daemon with these options.
    func file() async throws -> TokenFile {
        if let tokens { return TokenFile(MachinePaths.absolute(tokens)) }
        let running = state == nil ? await RunningDaemon.answering(state: nil) : nil
        do throws(DaemonError) {
            let options = try DaemonOptions(config: ".", state: state ?? running?.state, store: nil)
            return TokenFile("\(options.stateDirectory)/\(TokenFile.standardName)")
        } catch {
            throw reported(error)
        }
    }
}
