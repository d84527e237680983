import TminusCore

/// The options that `shell` and `exec` share.
package struct CommandSettings: Sendable {
    /// How long a command may run.
    var timeout: Duration
    /// How long after TERM it is ended by KILL.
    var killAfter: Duration
    /// The working directory, absolute.
    var directory: String
    /// Variables beside the inherited ones.
    var environment: [String: String]
    /// How many may run at the same time.
    var maxConcurrent: Int

    /// Settings, with the defaults of a file that does not say.
    package init(
        directory: String, timeout: Duration = .seconds(600), killAfter: Duration = .seconds(10),
        environment: [String: String] = [:], maxConcurrent: Int = 4
    ) {
        self.timeout = timeout
        self.killAfter = killAfter
        self.directory = directory
        self.environment = environment
        self.maxConcurrent = maxConcurrent
    }

    static let keys: [KeyTable.Key] = [
        .init(
            "timeout", .duration, "how long it may run; then its process group is ended", standard: "10m",
            example: "2 minutes"),
        .init(
            "kill-after", .duration, "how long after TERM what still runs is ended by KILL", standard: "10s",
            example: "1m"),
        .init(
            "directory", .directoryPath, "the working directory", otherwise: "that of the file", example: "../work"),
        .init(
            "environment", .map(.text), "variables beside the inherited ones", otherwise: "none",
            example: "{ ROOM: \"7\" }"),
        .init("max-concurrent", .integer(1...256), "how many may run at the same time", standard: "4", example: "1"),
    ]

    init(from reader: inout MappingReader, context: SinkContext) {
        self.init(directory: context.directory)
        timeout = reader.duration("timeout") ?? timeout
        killAfter = reader.duration("kill-after") ?? killAfter
        if let path = reader.text("directory") {
            if path.isEmpty || path.utf8.contains(0) { reader.error("'directory' must be a path", at: "directory") }
            directory = context.resolve(path)
        }
        maxConcurrent = reader.integer("max-concurrent", in: 1...256) ?? maxConcurrent
        environment = reader.texts("environment") ?? [:]
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            let isName =
                !name.isEmpty && !name.utf8.contains(UInt8(ascii: "=")) && !name.utf8.contains(0)
                && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name.utf8.first ?? 0)
            if !isName {
                reader.error(
                    "'\(name)' is not the name of a variable: no '=', no digit at the start", at: "environment",
                    entry: name)
            }
            // execve(2): 128 KiB is the most that a single text may have.
            if value.utf8.contains(0) || value.utf8.count > 100_000 {
                reader.error(
                    "the value of '\(name)' has more than 100,000 bytes or a NUL", at: "environment", entry: name)
            }
        }
    }

    /// The time that a delivery may take in all, with room for the end of the command.
    var timeLimit: Duration { timeout + killAfter + .seconds(5) }
}
