package import TminusCore
internal import TminusSystem

/// `stdout`: writes a line to standard output for each delivery.
package struct StdoutSink: Sink {
    /// The format of a line.
    package enum Format: String, CaseIterable, Sendable {
        /// The time of writing, the id and the message.
        case text
        /// The payload.
        case json
    }

    /// The beginning of a line of text.
    package enum Beginning: String, CaseIterable, Sendable {
        /// The time of writing in the machine's zone.
        case local
        /// The time of writing in UTC.
        case utc
        /// The id: for outputs whose reader adds the time.
        case none

        /// The beginning of a line that is written now.
        fileprivate var text: String {
            switch self {
            case .local: LineTime.local.now + " "
            case .utc: LineTime.utc.now + " "
            case .none: ""
            }
        }
    }

    package static let kind = "stdout"
    package static let place = SinkPlace.leader
    package static let options = KeyTable(
        "a stdout sink",
        [
            .init("stdout", .nothing, "selects this kind of sink; takes no value"),
            .init(
                "format", .choice(["text", "json"]), "a readable line, or the payload as JSON", standard: "text",
                example: "json"),
            .init(
                "time", .choice(["local", "utc", "none"]),
                "the time of writing at the beginning of a line of text: in the machine's zone, in UTC, or none",
                standard: "local", example: "utc"),
            MessageTemplate.key,
        ])

    package var maxConcurrent: Int { 1 }
    package var timeLimit: Duration { .seconds(10) }

    private let format: Format
    private let beginning: Beginning
    private let message: MessageTemplate
    private let output: LineOutput

    package init?(from reader: inout MappingReader, context: SinkContext) {
        if let value = reader.node("stdout"), value.content != .null, value.content != .mapping([]) {
            reader.error("'stdout' takes no value; its options stand beside it, such as 'format: json'", at: "stdout")
        }
        self.init(
            format: reader.choice("format", Format.self) ?? .text,
            beginning: reader.choice("time", Beginning.self) ?? .local, message: MessageTemplate(from: reader))
    }

    /// A sink that writes to standard output, or to another open descriptor.
    package init(
        format: Format, beginning: Beginning = .local, message: MessageTemplate = .none, descriptor: CInt? = nil
    ) {
        self.format = format
        self.beginning = beginning
        self.message = message
        output = descriptor.map { LineOutput(descriptor: $0) } ?? .standard
    }

    package func draft(of delivery: Delivery) -> DeliveryDraft {
        let delivery = message.applied(to: delivery)
        let line = Self.text(delivery, hasOwnMessage: message.isGiven)
        return DeliveryDraft(delivery, content: format == .json ? .event : .line(line))
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let delivery = message.applied(to: delivery)
        var line: [UInt8]
        switch format {
        case .json: line = CloudEvent.json(delivery)
        case .text: line = Array((beginning.text + Self.text(delivery, hasOwnMessage: message.isGiven)).utf8)
        }
        line.append(UInt8(ascii: "\n"))
        try await output.write(line)
        return .empty
    }

    /// The line of ``Format/text`` without its beginning and line break: the id and the message.
    ///
    /// The instant at which the occurrence is due follows if it is a second or more before or after now, unless the
    /// user gave the message.
    package static func text(_ delivery: Delivery, hasOwnMessage: Bool = false) -> String {
        let payload = delivery.payload
        let isNow = payload.remaining.nanoseconds.magnitude < 1_000_000_000
        let due = isNow || hasOwnMessage ? "" : ", due \(wholeSeconds(payload.due))"
        return VisibleText.line("\(payload.id): \(payload.message)\(due)")
    }

    /// An instant in RFC 3339 without the fraction of a second.
    private static func wholeSeconds(_ instant: String) -> String {
        guard let point = instant.firstIndex(of: ".") else { return instant }
        let rest = instant[instant.index(after: point)...]
        return String(instant[..<point]) + rest.drop { $0.isNumber }
    }
}
