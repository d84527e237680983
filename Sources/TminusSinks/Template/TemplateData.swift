import FoundationEssentials
import TminusCore

/// The values that a template can name: the members of the payload's `data`, and under `event` those of the CloudEvent around it.
///
/// They are decoded from the payload's own JSON, so that the two cannot drift apart.
struct TemplateData {
    /// The values in the types of the template library: texts, numbers, Booleans, mappings and lists.
    let values: [String: Any]

    /// The data of a delivery.
    init(_ delivery: Delivery) {
        let json = try? JSONDecoder().decode(JSONValue.self, from: Data(CloudEvent.json(delivery)))
        guard case .object(var event)? = json, case .object(let data)? = event.removeValue(forKey: "data") else {
            // Cannot happen: a payload is JSON with this member.
            values = [:]
            return
        }
        values = data.mapValues(\.plain).merging(["event": event.mapValues(\.plain)]) { own, _ in own }
    }
}

/// Any JSON value.
indirect enum JSONValue: Decodable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case decimal(Decimal)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .decimal(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    /// The value without this type around it. A null becomes false.
    fileprivate var plain: Any {
        switch self {
        case .null: false
        case .boolean(let value): value
        case .integer(let value): value
        case .decimal(let value): value.description
        case .string(let value): value
        case .array(let items): items.map(\.plain)
        case .object(let members): members.mapValues(\.plain)
        }
    }
}
