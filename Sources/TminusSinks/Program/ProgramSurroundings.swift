import TminusCore

/// The surroundings of a user's program: its working directory, and its variables besides the inherited ones.
package struct ProgramSurroundings: Sendable {
    /// The working directory, absolute.
    var directory: String
    /// Variables with their values.
    var variables: [String: String] = [:]
    /// Variables whose values are secrets, read at each start.
    var secrets: [String: SecretSource] = [:]

    static let keys: [KeyTable.Key] = [
        .init(
            "directory", .directoryPath, "the working directory", otherwise: "the directory of the file",
            example: "../work"),
        .init(
            "environment", .map(.either([.text, .secret])),
            "additional environment variables; a secret is read at each start", otherwise: "none",
            example: "{ ROOM: \"7\", TOKEN: { file: ./token } }"),
    ]
    /// execve(2) accepts at most 128 KiB for one variable.
    private static let valueLimit = 100_000

    init(directory: String) {
        self.directory = directory
    }

    init(from reader: inout MappingReader, context: SinkContext) {
        self.init(directory: context.directory)
        if let path = reader.text("directory") {
            if path.isEmpty || path.utf8.contains(0) { reader.error("'directory' must be a path", at: "directory") }
            directory = context.resolve(path)
            reader.needs(.directory(directory), at: "directory")
        }
        for entry in reader.map("environment") ?? [] {
            if !Self.isName(entry.key) {
                reader.error(
                    "'\(entry.key)' is not the name of a variable: no '=', no digit at the start", at: "environment",
                    entry: entry.key)
            }
            if case .mapping = entry.value.content {
                secrets[entry.key] = SecretSource(entry.value, for: entry.key, context: context, reader.diagnostics)
                continue
            }
            guard let value = MappingReader.text(of: entry.value, for: entry.key, reader.diagnostics) else { continue }
            variables[entry.key] = value
            if value.utf8.contains(0) || value.utf8.count > Self.valueLimit {
                reader.error(
                    "the value of '\(entry.key)' has more than 100,000 bytes or a NUL", at: "environment",
                    entry: entry.key)
            }
        }
    }

    /// A program that is started with these surroundings; one with a slash is relative to the working directory.
    func need(_ program: String) -> SinkNeed.Thing {
        .program(program, directory: directory, searchPath: variables["PATH"])
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains(UInt8(ascii: "=")) && !name.utf8.contains(0)
            && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name.utf8.first ?? 0)
    }

    /// The variables with the current secrets, and a redaction of these secrets for the program's output.
    func resolved() async throws(DeliveryError) -> (variables: [String: [UInt8]], redaction: Redaction) {
        var values = variables.mapValues { Array($0.utf8) }
        var hidden: [[UInt8]] = []
        for (name, source) in secrets.sorted(by: { $0.key < $1.key }) {
            let bytes = try await source.read().bytes
            guard !bytes.contains(0) else { throw .transient("the secret for '\(name)' has a NUL") }
            values[name] = bytes
            hidden.append(bytes)
        }
        return (values, Redaction(hidden))
    }
}
