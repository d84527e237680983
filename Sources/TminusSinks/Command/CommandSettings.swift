import TminusCore

/// The options that `shell` and `exec` share.
package struct CommandSettings: Sendable {
    /// How long a command may run.
    var timeout: Duration
    /// How long after TERM it gets KILL.
    var killAfter: Duration
    /// Its working directory and variables.
    var surroundings: ProgramSurroundings
    /// How many may run at once.
    var maxConcurrent: Int

    /// Settings with the defaults of a file. `directory` is absolute.
    package init(
        directory: String, timeout: Duration = .seconds(600), killAfter: Duration = .seconds(10),
        environment: [String: String] = [:], secrets: [String: SecretSource] = [:], maxConcurrent: Int = 4
    ) {
        self.timeout = timeout
        self.killAfter = killAfter
        self.maxConcurrent = maxConcurrent
        surroundings = ProgramSurroundings(directory: directory)
        surroundings.variables = environment
        surroundings.secrets = secrets
    }

    static let keys: [KeyTable.Key] =
        [
            .init(
                "timeout", .duration, "how long it may run; then its process group gets a TERM signal", standard: "10m",
                example: "2 minutes"),
            .init(
                "kill-after", .duration, "how long after TERM the processes still running get a KILL signal",
                standard: "10s",
                example: "1m"),
        ] + ProgramSurroundings.keys + [
            .init(
                "max-concurrent", .integer(1...256), "the maximum number of concurrent runs", standard: "4",
                example: "1")
        ]

    init(from reader: inout MappingReader, context: SinkContext) {
        self.init(directory: context.directory)
        timeout = reader.duration("timeout") ?? timeout
        killAfter = reader.duration("kill-after") ?? killAfter
        surroundings = ProgramSurroundings(from: &reader, context: context)
        maxConcurrent = reader.integer("max-concurrent", in: 1...256) ?? maxConcurrent
    }

    /// The time limit of a delivery, with time to end the command.
    var timeLimit: Duration { timeout + killAfter + .seconds(5) }
}
