import TminusCore
import TminusTestKit

extension Sink {
    /// How one delivery ended, within a bounded time: nil if it was delivered.
    func attempt(
        _ delivery: Delivery = Deliveries.one()
    ) async throws -> DeliveryError? {
        try await Attempt.outcome { () throws(DeliveryError) in try await deliver(delivery) }
    }
}

enum Attempt {
    /// How a delivery ended: nil if it was delivered. The limit only keeps a test from hanging.
    static func outcome(
        of work: @escaping @Sendable () async throws(DeliveryError) -> Void
    ) async throws -> DeliveryError? {
        try await Bounded.value(within: .seconds(60), "a delivery to end") { () -> DeliveryError? in
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
