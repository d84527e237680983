package import TminusCore
import TminusSystem

/// `webhook-file`: writes the body that a webhook would post, as a line of a file or as a file in a directory.
package struct WebhookFileSink: Sink {
    /// Whether a delivery must be on disk before it counts as delivered.
    package enum Sync: String, CaseIterable, Sendable {
        /// fdatasync(2) after each line, or after several that come together: they survive a power cut.
        case always
        /// Lines survive the end of the daemon, but not a power cut.
        case never
    }

    private enum End: Sendable {
        case file(PayloadFile)
        case directory(PayloadDirectory)
    }

    package static let kind = "webhook-file"
    package static let place = SinkPlace.leader
    package static let options = KeyTable(
        "a webhook-file sink",
        [
            .init(
                "webhook-file", .either([.filePath, .keyed("directory", .directoryPath)]),
                "the path of a file to append to, or of a directory with one file for each delivery", isRequired: true,
                example: "../var/deliveries.ndjson"),
            .init(
                "sync", .choice(Sync.allCases.map(\.rawValue)),
                "whether a delivery must be on disk before it counts as delivered", standard: "always",
                example: "never"),
            .init(
                "rotate", .byteCount, "the maximum size of the file; then a new one is started",
                otherwise: "no bound", example: "10 MiB"),
            .init(
                "rotate-after", .duration,
                "the maximum age of the file, from its first payload on; then a new one is started",
                otherwise: "no bound", example: "1 day"),
            .init("keep", .integer(1...999), "the number of rotated files to keep", standard: "5", example: "12"),
            MessageTemplate.key,
        ])

    /// Lines that come together share a write; files do not.
    package var maxConcurrent: Int {
        if case .file = end { 1_024 } else { 1 }
    }
    package var timeLimit: Duration { .seconds(30) }

    private let end: End
    private let message: MessageTemplate

    package init?(from reader: inout MappingReader, context: SinkContext) {
        let isSynced = (reader.choice("sync", Sync.self) ?? .always) == .always
        let rotation = PayloadRotation(
            size: reader.byteCount("rotate"), age: reader.duration("rotate-after"),
            keep: reader.integer("keep", in: 1...999) ?? 5)
        message = MessageTemplate(from: reader)
        guard let node = reader.node("webhook-file") else { return nil }
        guard case .mapping = node.content else {
            guard let path = reader.path("webhook-file").map(context.resolve) else { return nil }
            if context.isRead(path) { reader.error(Self.misplaced, at: "webhook-file") }
            reader.needs(.writableDirectory(ParentDirectory.of(path)), at: "webhook-file")
            end = .file(
                PayloadFile(
                    path: path, isSynced: isSynced, rotation: rotation, now: { TimerFDClock.now }, log: context.log))
            return
        }
        let inner = MappingReader(node, table: Self.directory, diagnostics: reader.diagnostics)
        inner.finish()
        guard let path = inner.text("directory") else { return nil }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            inner.error("'directory' must be the path of a directory", at: "directory")
            return nil
        }
        for key in ["rotate", "rotate-after", "keep"] where reader.has(key) {
            reader.error("'\(key)' is for a file; in a directory each delivery has its own", at: key)
        }
        let place = context.resolve(path)
        if context.isRead(place, isDirectory: true) { inner.error(Self.misplaced, at: "directory") }
        inner.needs(.writableDirectory(place), at: "directory")
        end = .directory(PayloadDirectory(path: place, isSynced: isSynced))
    }

    private static let misplaced =
        "payloads cannot be written here: it is inside the config directory, where tminus would read them as definitions"
    private static let directory = KeyTable(
        "the place of a webhook-file sink",
        [.init("directory", .directoryPath, "the path of a directory", isRequired: true, example: "../var/deliveries")])

    /// A sink for the file at an absolute path.
    package init(
        path: String, sync: Sync, rotation: PayloadRotation = PayloadRotation(),
        now: @escaping @Sendable () -> Timestamp = { TimerFDClock.now }, log: SinkLog = .silent
    ) {
        end = .file(PayloadFile(path: path, isSynced: sync == .always, rotation: rotation, now: now, log: log))
        message = .none
    }

    /// A sink for the directory at an absolute path.
    package init(directory: String, sync: Sync) {
        end = .directory(PayloadDirectory(path: directory, isSynced: sync == .always))
        message = .none
    }

    package func draft(of delivery: Delivery) -> DeliveryDraft { DeliveryDraft(message.applied(to: delivery)) }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        var line = CloudEvent.json(message.applied(to: delivery))
        line.append(UInt8(ascii: "\n"))
        switch end {
        case .file(let file): return try await file.append(line)
        case .directory(let directory):
            try await directory.write(line, as: PayloadDirectory.name(of: delivery))
            return .empty
        }
    }

    package func shutdown() async {
        if case .file(let file) = end { file.close() }
    }
}
