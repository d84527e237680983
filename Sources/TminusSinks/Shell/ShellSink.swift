package import TminusCore

/// `shell`: a line for `/bin/sh -c`. The delivery comes by standard input and variables, and is never part of the line.
package struct ShellSink: Sink {
    package static let kind = "shell"
    package static let overlap = Overlap.skip
    package static let options = KeyTable(
        "a shell sink",
        [
            .init(
                "shell", .line, "a command line for /bin/sh", isRequired: true, example: "./hook.sh",
                aliases: ["command", "cmd"])
        ]
            + CommandSettings.keys + [MessageTemplate.key])

    package var maxConcurrent: Int { command.settings.maxConcurrent }
    package var timeLimit: Duration { command.settings.timeLimit }

    private let command: Command

    package init?(from reader: inout MappingReader, context: SinkContext) {
        let settings = CommandSettings(from: &reader, context: context)
        let message = MessageTemplate(from: reader)
        guard let line = reader.text("shell") else { return nil }
        guard line.contains(where: { !$0.isWhitespace }), !line.utf8.contains(0) else {
            reader.error("'shell' must be a command line", at: "shell")
            return nil
        }
        if let (program, part) = ShellLine.program(of: line) {
            reader.needs(settings.surroundings.need(program), at: "shell", part: part)
        }
        self.init(line, settings, message: message)
    }

    /// A sink for a command line.
    package init(_ line: String, _ settings: CommandSettings, message: MessageTemplate = .none) {
        command = Command(program: "/bin/sh", arguments: ["-c", line], settings: settings, message: message)
    }

    package func draft(of delivery: Delivery) -> DeliveryDraft {
        DeliveryDraft(command.message.applied(to: delivery))
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await command.run(delivery)
    }
}
