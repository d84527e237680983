import Testing

@testable import tminus

@Suite("Unknown commands and options")
struct UnknownWordTests {
    private static let cases: [(words: [String], message: String)] = [
        (["chek"], "unknown command 'chek', did you mean 'check'? 'tminus help' lists all commands"),
        (["delete", "q", "-S"], "unknown command 'delete', did you mean 'remove'? 'tminus help' lists all commands"),
        (["help", "nosuch"], "unknown command 'nosuch'; 'tminus help' lists all commands"),
        (
            ["deliveries", "discrad", "x"],
            "unknown command 'deliveries discrad', did you mean 'deliveries discard'? "
                + "'tminus help deliveries' lists its commands"
        ),
        (
            ["deliveries", "tea"],
            "unknown command 'deliveries tea'; for the definition 'tea' use 'tminus deliveries --id tea'; "
                + "'tminus help deliveries' lists its commands"
        ),
        (
            ["add", "evnt", "x"],
            "unknown command 'add evnt', did you mean 'add event'? 'tminus help add' lists its commands"
        ),
        (
            ["remove", "q", "-S"],
            "unknown option '-S' of 'tminus remove'; 'tminus remove --help' lists all options"
        ),
        (
            ["list", "--jsno"],
            "unknown option '--jsno' of 'tminus list', did you mean '--json'? 'tminus list --help' lists all options"
        ),
        (
            ["deliveries", "--onyl", "dead"],
            "unknown option '--onyl' of 'tminus deliveries', did you mean '--only'? "
                + "'tminus deliveries --help' lists all options"
        ),
        (
            ["next", "--begin=2027-01-01", "--cron", "* * * * *"],
            "unknown option '--begin' of 'tminus next'; 'tminus next --help' lists all options"
        ),
        (["--jsno", "list"], "unknown option '--jsno'; 'tminus --help' lists all options"),
    ]

    @Test("an unknown command or option is named, with the nearest one", arguments: cases)
    func unknown(words: [String], message: String) async throws {
        let program = try Program(Program.tminus, words)
        #expect(try await program.end() == 64)
        #expect(program.errors.texts == ["tminus: \(message)"])
        #expect(program.output.texts.isEmpty)
    }

    @Test(
        "other errors keep their own message",
        arguments: [
            (["next", "--cron"], "Error: Missing value for '--cron <expr>'"),
            (["mute"], "Error: give --until or --for: a mute needs an end"),
            (["history", "-n", "-5", "tea"], "Error: Missing value for '-n <count>'"),
            (["remove", "-y"], "Error: Missing expected argument '<id>'"),
        ])
    func otherErrors(words: [String], message: String) async throws {
        let program = try Program(Program.tminus, words)
        #expect(try await program.end() == 64)
        #expect(program.errors.texts.first == message, "\(program.errors.texts)")
    }

    private static let tree = CommandTree(
        commandName: "tminus",
        subcommands: [
            CommandTree(
                commandName: "next",
                arguments: [
                    .init(kind: "option", names: [.init(kind: "long", name: "tz")]),
                    .init(kind: "option", names: [.init(kind: "long", name: "cron")]),
                    .init(kind: "option", names: [.init(kind: "short", name: "n")]),
                    .init(kind: "flag", names: [.init(kind: "long", name: "yes"), .init(kind: "short", name: "y")]),
                ])
        ])

    @Test(
        "values, numbers, joined letters and all after -- are no unknown options",
        arguments: [
            ["next", "--cron", "* * * * *", "-n", "5"], ["next", "-yn", "5"], ["next", "-5"], ["next", "--", "--what"],
            ["next", "--cron", "--what"], ["next", "--cron=-1"],
        ])
    func known(words: [String]) {
        #expect(UnknownWord.first(in: words, of: Self.tree) == nil)
    }

    @Test("an option that is abbreviated or spelled out is suggested")
    func abbreviation() {
        for (typed, meant) in [("--timezone", "--tz"), ("--timezone=UTC", "--tz"), ("--cr", "--cron"), ("--id", nil)] {
            #expect(UnknownWord.first(in: ["next", typed], of: Self.tree)?.suggestion == meant, "\(typed)")
        }
    }
}
