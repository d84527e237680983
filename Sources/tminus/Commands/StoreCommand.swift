internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// `tminus store`
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Check a store, prepare a database for one, and move one.",
        discussion: """
              tminus store check postgresql://tminus@db.example.org/tminus
              tminus store setup postgresql://owner@db.example.org/tminus --role tminus
              tminus store move ~/.local/state/tminus/tminus.sqlite postgresql://tminus@db.example.org/tminus

            A store is a path, sqlite:PATH, or postgresql:// with the address of a database as libpq reads it. A password \
            belongs into ~/.pgpass, or into a file that PGPASSFILE or '?passfile=' names.
            """,
        subcommands: [CheckStore.self, SetUpStore.self, MoveStore.self]
    )
}

/// `tminus store check`
struct CheckStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look at a store, and say what keeps a daemon from using it.",
        discussion: """
            Changes nothing; a daemon may use the store meanwhile. Of a database it shows the version, the encoding, the \
            schema, who uses it, the rights, the durability and how long a trip takes, and it refuses a pooler that does \
            not keep prepared statements. Exit status: 0, 65 with at least one error, 74 without a connection.
            """
    )

    @Argument(help: ArgumentHelp("The store.", valueName: "url"))
    var store: String

    func run() async throws {
        let check = try reportingFailure { () throws(ToolError) in
            try StoreCheck(of: StoreLocation(store, option: "store check"))
        }
        try StandardOutput.write(check.text)
        if !check.problems.isEmpty { throw ExitStatus.badData }
    }
}

/// `tminus store setup`
struct SetUpStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Make the schema of a store in a database.",
        discussion: """
            A daemon whose user may create a schema makes it by itself. Use this if the daemon is to read and write rows \
            only: connect as the owner, and name the daemon's user with --role. It is made if it does not exist. Do the \
            same before an upgrade that changes the schema. Doing it again changes nothing.

            With --print the statements are written to standard output, for psql, and nothing is connected.
            """
    )

    @Argument(help: ArgumentHelp("The address of the database, as its owner.", valueName: "url"))
    var store: String?

    @Option(help: ArgumentHelp("The user of the daemon, who may read and write the rows.", valueName: "name"))
    var role: String?

    @Flag(help: "Write the statements instead.")
    var print = false

    func validate() throws {
        guard print || store != nil else { throw ValidationError("give the address of a database, or --print") }
    }

    func run() async throws {
        let text = try reportingFailure { () throws(ToolError) in
            let setup = try StoreSetup(role: role)
            guard !print, let store else { return setup.script }
            try setup.perform(at: StoreLocation(store, option: "store setup"))
            let rights = role.map { "; '\($0)' may read and write its rows" } ?? ""
            return "the schema 'tminus' is up to date\(rights)\n"
        }
        try StandardOutput.write(text)
    }
}

/// `tminus store move`
struct MoveStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Copy everything of a store into another, empty one.",
        discussion: """
            The daemon must be stopped: both stores are locked meanwhile. Schedules, deliveries, history, definitions \
            without a file and sessions are copied with their ids, and compared. The first store stays as it is. If the move \
            ends early, no daemon uses what it has written, and the next move begins anew.

            Afterwards start the daemon with --store and the second one.
            """
    )

    @Argument(help: ArgumentHelp("The store to read.", valueName: "from"))
    var source: String

    @Argument(
        help: ArgumentHelp("The store to write: a file that does not exist, or an empty database.", valueName: "to"))
    var target: String

    func run() async throws {
        do {
            let (source, target) = (
                try StoreLocation(source, option: "store move"), try StoreLocation(target, option: "store move")
            )
            let move = StoreMove(from: source, to: target)
            let result = try await move.run { StandardError.shared.report("tminus: \($0)") }
            let counts = result.counts.map { "  \($0.table) \($0.rows)\n" }.joined()
            try StandardOutput.write(
                "moved \(result.source) to \(result.target); rows:\n\(counts)start the daemon with --store and the new one\n"
            )
        } catch let error as ToolError {
            throw reported(error)
        }
    }
}
