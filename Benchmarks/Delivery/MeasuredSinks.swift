import TminusCore

/// A sink that does nothing but being measured.
struct NullSink: Sink {
    static let kind = "null"
    static let options = KeyTable(
        "a null sink", [.init("null", .text, "anything", isRequired: true, example: "x")])

    let maxConcurrent = 256
    let timeLimit = Duration.seconds(10)

    init?(from reader: inout MappingReader, context: SinkContext) {
        _ = reader.text("null")
    }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        Meter.shared.pass(delivery)
        return .empty
    }
}

/// A sink of another kind, with its beginnings and ends measured.
struct Measured<Inner: Sink>: Sink {
    static var kind: String { Inner.kind }
    static var options: KeyTable { Inner.options }
    static var overlap: Overlap { Inner.overlap }

    var maxConcurrent: Int { inner.maxConcurrent }
    var timeLimit: Duration { inner.timeLimit }
    private let inner: Inner

    init?(from reader: inout MappingReader, context: SinkContext) {
        guard let inner = Inner(from: &reader, context: context) else { return nil }
        self.inner = inner
    }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        Meter.shared.begin(delivery)
        defer { Meter.shared.end() }
        return try await inner.deliver(delivery)
    }

    func shutdown() async { await inner.shutdown() }
}
