public import TminusCore

/// A sink that does nothing but tell its ``Recording``, and answers as that says.
public struct RecordingSink: Sink {
    public static let kind = "recording"

    public static let options = KeyTable(
        "a recording sink",
        [
            KeyTable.Key("recording", .text, "The name of the recording.", isRequired: true),
            KeyTable.Key("max-concurrent", .integer(1...1_000), "Deliveries at the same time.", standard: "4"),
        ])

    public let maxConcurrent: Int
    public let timeLimit: Duration
    private let recording: Recording

    /// A sink of that recording.
    public init(_ recording: Recording, maxConcurrent: Int = 4, timeLimit: Duration = .seconds(60)) {
        self.recording = recording
        self.maxConcurrent = maxConcurrent
        self.timeLimit = timeLimit
    }

    /// The sink of the recording that the options name.
    public init?(from reader: inout MappingReader, context: SinkContext) {
        let concurrent = reader.integer("max-concurrent", in: 1...1_000) ?? 4
        guard let name = reader.text("recording") else { return nil }
        guard let recording = Recording.named(name) else {
            reader.error("there is no recording '\(name)'", at: "recording")
            return nil
        }
        self.init(recording, maxConcurrent: concurrent)
    }

    @discardableResult
    public func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await recording.deliver(delivery)
    }

    public func shutdown() async {
        recording.shutDown()
    }
}
