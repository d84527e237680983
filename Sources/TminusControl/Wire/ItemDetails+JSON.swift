internal import Foundation
internal import TminusCore

extension Item {
    /// The JSON object of `show --json`: the members of the item and those of its details.
    package func json(with details: ItemDetails) throws -> [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        let parts = try (
            schedule: ControlJSON.encode(details.schedule), leads: ControlJSON.encode(details.leads),
            actions: ControlJSON.encode(details.actions), sinks: ControlJSON.encode(details.sinks),
            deliveries: ControlJSON.encode(details.deliveries), controls: ControlJSON.encode(details.controls)
        )
        writer.object { object in
            write(to: &object)
            object.member("schedule", json: parts.schedule)
            object.member("leads", json: parts.leads)
            object.member("actions", json: parts.actions)
            object.member("sinks", json: parts.sinks)
            object.member("deliveries", json: parts.deliveries)
            object.member("controls", json: parts.controls)
        }
        return writer.bytes
    }
}

extension ItemDetails {
    /// Decodes the details in an answer that ``Item/json(with:)`` encoded.
    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(ItemDetails.self, from: Data(json))
    }
}
