import FoundationEssentials
import TminusCore

/// A firing with its values in their stored form, made before the transaction so that the connection is not held up: an object,
/// because it is large and handed on there.
final class PreparedFiring: Sendable {
    /// The firing.
    let firing: Firing
    /// Its action as stored.
    let action: String
    /// Its payload as stored.
    let payload: String
    /// Whom to tell of a failure, as stored.
    let onFailure: String?
    /// The ids of its deliveries, in the order of its sinks, and as stored.
    let deliveries: [(id: DeliveryID, text: String)]

    /// Encodes what is stored as text.
    init(_ firing: Firing) throws {
        self.firing = firing
        action = firing.action.rawValue
        payload = try PayloadText.encode(firing.payload)
        let keys = firing.onFailure.map(\.rawValue)
        onFailure = keys.isEmpty ? nil : String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)
        deliveries = firing.sinks.map { sink in
            let id = DeliveryID(
                definition: firing.definition, occurrence: firing.occurrence, action: firing.action, sink: sink
            ).computed
            return (id, id.rawValue)
        }
    }
}
