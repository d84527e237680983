import TminusCore
import TminusTestKit

extension Sink {
    /// How one delivery ended, within a bounded time: nil if it was delivered.
    func attempt(
        _ delivery: Delivery = Deliveries.one(), within limit: Duration = .seconds(20)
    ) async throws -> DeliveryError? {
        try await Bounded.value(within: limit, "a delivery to end") { () -> DeliveryError? in
            do throws(DeliveryError) {
                try await deliver(delivery)
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
