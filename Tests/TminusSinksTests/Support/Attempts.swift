import Testing
import TminusCore
import TminusDefinitions
import TminusSinks
import TminusTestKit

extension Sink {
    /// How one delivery ended, within a bounded time: nil if it was delivered.
    func attempt(
        _ delivery: Delivery = Deliveries.one()
    ) async throws -> DeliveryError? {
        try await Attempt.outcome { () throws(DeliveryError) in try await deliver(delivery) }
    }
}

extension SinkRegistry {
    /// A sink made of a YAML mapping, as a definition file in `directory` would have it, and what is wrong with it.
    static func sink(
        _ yaml: String, in directory: String = "/"
    ) throws -> (sink: (any Sink)?, problems: [String]) {
        let read = DocumentReader.read(Array(yaml.utf8), path: "test.yaml")
        let root = try #require(read.root)
        guard case .mapping(let entries) = root.content else { throw ConformanceFailure("not a mapping: \(yaml)") }
        let registry = SinkRegistry(StandardSinks.kinds)
        let kind = try #require(entries.first { registry[$0.key] != nil }?.key)
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let made = registry.make(
            SinkSpec(name: nil, kind: kind, options: root, directory: directory), root: "/", reporting: diagnostics)
        return (
            diagnostics.hasErrors ? nil : made?.sink,
            diagnostics.diagnostics.map {
                "\($0.location.line):\($0.location.column): \($0.severity == .error ? "" : "warning: ")\($0.message)"
            }
        )
    }

    /// A sink of a YAML mapping with nothing wrong. A webhook without a `timeout` of its own has one that only keeps a
    /// test from hanging.
    static func soundSink(_ yaml: String, in directory: String = "/") throws -> any Sink {
        let isUnlimited = yaml.hasPrefix("webhook:") && !yaml.contains("timeout:")
        let (sink, problems) = try sink(isUnlimited ? "\(yaml)\ntimeout: 600s" : yaml, in: directory)
        #expect(problems == [])
        return try #require(sink)
    }
}

extension WebhookSink {
    /// A sink as a file would have it; `options` are further lines of the file.
    static func test(
        _ url: String, _ options: String..., timeout: Duration = Bounded.limit
    ) throws -> WebhookSink {
        let lines = ["webhook: \"\(url)\"", "timeout: \(Int(timeout / .milliseconds(1)))ms"] + options
        return try #require(try SinkRegistry.soundSink(lines.joined(separator: "\n")) as? WebhookSink)
    }
}

enum Attempt {
    /// How a delivery ended: nil if it was delivered. The limit only keeps a test from hanging.
    static func outcome(
        of work: @escaping @Sendable () async throws(DeliveryError) -> Void
    ) async throws -> DeliveryError? {
        try await Bounded.value("a delivery to end") { () -> DeliveryError? in
            do throws(DeliveryError) {
                try await work()
                return nil
            } catch {
                return error
            }
        }
    }
}

extension SinkSpec {
    /// A sink as a file would have it.
    static func test(_ kind: String, _ options: [(String, Node.Content)], in directory: String) -> SinkSpec {
        SinkSpec(
            name: nil, kind: kind,
            options: Node(.mapping(options.map { Node.Entry(key: $0.0, value: Node($0.1)) })), directory: directory)
    }
}
