package import TminusCore

/// `stdout`: writes a line to standard output for each delivery.
package struct StdoutSink: Sink {
    /// The format of a line.
    package enum Format: String, CaseIterable, Sendable {
        /// The instant of the occurrence, the id and the message.
        case text
        /// The payload.
        case json
    }

    package static let kind = "stdout"
    package static let options = KeyTable(
        "a stdout sink",
        [
            .init("stdout", .nothing, "selects this kind of sink; takes no value"),
            .init(
                "format", .choice(["text", "json"]), "a readable line, or the payload as JSON", standard: "text",
                example: "json"),
            MessageTemplate.key,
        ])

    package var maxConcurrent: Int { 1 }
    package var timeLimit: Duration { .seconds(10) }

    private let format: Format
    private let message: MessageTemplate
    private let output: LineOutput

    package init?(from reader: inout MappingReader, context: SinkContext) {
        if let value = reader.node("stdout"), value.content != .null, value.content != .mapping([]) {
            reader.error("'stdout' takes no value; its options stand beside it, such as 'format: json'", at: "stdout")
        }
        self.init(format: reader.choice("format", Format.self) ?? .text, message: MessageTemplate(from: reader))
    }

    /// A sink that writes to standard output, or to another open descriptor.
    package init(format: Format, message: MessageTemplate = .none, descriptor: CInt? = nil) {
        self.format = format
        self.message = message
        output = descriptor.map { LineOutput(descriptor: $0) } ?? .standard
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let delivery = message.applied(to: delivery)
        var line: [UInt8]
        switch format {
        case .json: line = CloudEvent.json(delivery)
        case .text: line = Array(Self.text(delivery).utf8)
        }
        line.append(UInt8(ascii: "\n"))
        try await output.write(line)
        return .empty
    }

    /// The line of ``Format/text``, without a line break.
    package static func text(_ delivery: Delivery) -> String {
        VisibleText.line("\(delivery.payload.due) \(delivery.payload.id): \(delivery.payload.message)")
    }
}
