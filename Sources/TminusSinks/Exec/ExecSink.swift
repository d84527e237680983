package import TminusCore

/// `exec`: a program with its arguments, without a shell.
///
/// A program with a slash is relative to the working directory, one without is looked up in PATH.
package struct ExecSink: Sink {
    package static let kind = "exec"
    package static let overlap = Overlap.skip
    package static let options = KeyTable(
        "an exec sink",
        [
            .init(
                "exec", .oneOrMore(.text), "a program and its arguments, run without a shell", isRequired: true,
                example: "[./hook.sh, --quiet]", aliases: ["program"])
        ] + CommandSettings.keys + [MessageTemplate.key])

    package var maxConcurrent: Int { command.settings.maxConcurrent }
    package var timeLimit: Duration { command.settings.timeLimit }

    private let command: Command

    package init?(from reader: inout MappingReader, context: SinkContext) {
        let settings = CommandSettings(from: &reader, context: context)
        let message = MessageTemplate(from: reader)
        guard let items = reader.oneOrMore("exec") else { return nil }
        let words = items.compactMap { MappingReader.text(of: $0, for: "exec", reader.diagnostics) }
        guard words.count == items.count else { return nil }
        guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
            reader.error("'exec' must be a program and its arguments, such as [./hook.sh, --quiet]", at: "exec")
            return nil
        }
        if let first = items.first { reader.diagnostics.need(settings.surroundings.need(program), at: first.range) }
        self.init(words, settings, message: message)
    }

    /// A sink for a program, which is the first of `words`, and its arguments.
    package init(_ words: [String], _ settings: CommandSettings, message: MessageTemplate = .none) {
        let program = words.first ?? ""
        let isPath = program.utf8.contains(UInt8(ascii: "/"))
        command = Command(
            program: isPath ? SinkContext(directory: settings.surroundings.directory).resolve(program) : program,
            arguments: Array(words.dropFirst()), settings: settings, message: message)
    }

    package func draft(of delivery: Delivery) -> DeliveryDraft {
        DeliveryDraft(command.message.applied(to: delivery))
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await command.run(delivery)
    }
}
