package import TminusCore

/// The options of a plug-in.
package struct PluginSettings: Sendable {
    /// The program, absolute.
    var program: String
    /// The program as written, for messages.
    var shownProgram: String
    /// The configuration for the plug-in; nil: an empty mapping.
    var config: Node?
    /// Its working directory and variables.
    var surroundings: ProgramSurroundings
    /// How long a delivery may take after it was sent to the plug-in.
    var timeout: Duration
    /// How long the plug-in may take until it is ready.
    var startLimit: Duration
    /// How long after TERM it gets KILL.
    var killAfter: Duration
    /// The most deliveries that it gets at once.
    var maxConcurrent: Int

    /// Settings with the defaults of a file. `program` and `directory` are absolute.
    package init(
        program: String, directory: String, config: Node? = nil, timeout: Duration = .seconds(30),
        startLimit: Duration = .seconds(30), killAfter: Duration = .seconds(2), secrets: [String: SecretSource] = [:],
        maxConcurrent: Int = 8
    ) {
        self.program = program
        shownProgram = program
        self.config = config
        surroundings = ProgramSurroundings(directory: directory)
        surroundings.secrets = secrets
        self.timeout = timeout
        self.startLimit = startLimit
        self.killAfter = killAfter
        self.maxConcurrent = maxConcurrent
    }

    static let keys: [KeyTable.Key] =
        [
            .init(
                "plugin", .filePath, "the path of a program that keeps running and reads deliveries as lines of JSON",
                isRequired: true, example: "./plugins/notify.py"),
            .init(
                "config", .map(.anything), "settings passed to the plug-in at its start; every scalar is text",
                otherwise: "an empty mapping", example: "{ database: ../var/deliveries.sqlite }"),
            .init(
                "timeout", .duration, "how long a delivery may take, from handing it to the plug-in on",
                standard: "30s",
                example: "2 minutes"),
        ] + ProgramSurroundings.keys + [
            .init(
                "max-concurrent", .integer(1...256),
                "the maximum number of concurrent deliveries, even if the plug-in accepts more",
                standard: "8", example: "1")
        ]

    init?(from reader: inout MappingReader, context: SinkContext) {
        let surroundings = ProgramSurroundings(from: &reader, context: context)
        let timeout = reader.duration("timeout")
        let maxConcurrent = reader.integer("max-concurrent", in: 1...256)
        let isMapping = reader.map("config") != nil
        guard let path = reader.text("plugin") else { return nil }
        guard !path.isEmpty, path.utf8.last != UInt8(ascii: "/"), !path.utf8.contains(0) else {
            reader.error("'plugin' must be the path of a program", at: "plugin")
            return nil
        }
        self.init(
            program: context.resolve(path), directory: surroundings.directory,
            config: isMapping ? reader.node("config") : nil)
        shownProgram = path
        self.surroundings = surroundings
        self.timeout = timeout ?? self.timeout
        self.maxConcurrent = maxConcurrent ?? self.maxConcurrent
        reader.needs(.program(program, directory: context.directory), at: "plugin")
    }

    /// The time limit of a delivery, with time for the start and for a delivery before it.
    var timeLimit: Duration { startLimit + timeout + timeout + .seconds(5) }
}
