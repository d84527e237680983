package import TminusCore

/// `webhook-file`: a file of payloads, one a line, each the body that a webhook would have posted.
package struct WebhookFileSink: Sink {
    /// Whether a delivery counts only when the disk has it.
    package enum Sync: String, CaseIterable, Sendable {
        /// fdatasync(2) after each line: it survives a power cut.
        case always
        /// The line survives the end of the daemon, not that of the machine.
        case never
    }

    package static let kind = "webhook-file"
    package static let options = KeyTable(
        "a webhook-file sink",
        [
            .init(
                "webhook-file", .filePath, "the path of a file to append to", isRequired: true,
                example: "../var/deliveries.ndjson"),
            .init(
                "sync", .choice(["always", "never"]), "whether each line is on the disk before it counts as delivered",
                standard: "always", example: "never"),
        ])

    package var maxConcurrent: Int { 1 }
    package var timeLimit: Duration { .seconds(30) }

    private let file: PayloadFile

    package init?(from reader: inout MappingReader, context: SinkContext) {
        let sync = reader.choice("sync", Sync.self) ?? .always
        guard let path = reader.text("webhook-file") else { return nil }
        guard !path.isEmpty, path.utf8.last != UInt8(ascii: "/"), !path.utf8.contains(0) else {
            reader.error("'webhook-file' must be the path of a file", at: "webhook-file")
            return nil
        }
        self.init(path: context.resolve(path), sync: sync)
    }

    /// A sink for the file at an absolute path.
    package init(path: String, sync: Sync) {
        file = PayloadFile(path: path, isSynced: sync == .always)
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await file.append(CloudEvent.json(delivery) + [UInt8(ascii: "\n")])
        return .empty
    }

    package func shutdown() async {
        await file.close()
    }
}
