import FoundationEssentials
import TminusCore

/// The lines of the plug-in protocol, version 1: JSON (RFC 8259), UTF-8, one object a line.
enum PluginMessage {
    /// The version that tminus speaks.
    static let version = 1
    /// The most that a line of a plug-in may have, in bytes.
    static let lineLimit = 65_536
    /// The longest wait that a plug-in can ask for.
    private static let longestWait = 86_400.0

    /// What a plug-in says.
    enum Answer: Equatable {
        /// It speaks that version and takes that many deliveries at once.
        case ready(version: Int, maxConcurrent: Int)
        /// It is done with a delivery.
        case outcome(id: String, Outcome)
        /// No line of the protocol; why.
        case nonsense(String)
    }

    /// What became of a delivery.
    enum Outcome: Equatable {
        case delivered
        case retry(after: Duration?, reason: String?)
        case dead(reason: String?)
        /// A word that the protocol does not have.
        case unknown(String)
    }

    /// The first line to a plug-in. Scalars of `config` are text: what they mean is up to the plug-in.
    static func hello(config: Node?) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let hello = Hello(hello: version, config: ConfigValue(node: config ?? Node(.mapping([]))))
        // Nothing in it can fail to encode.
        guard let data = try? encoder.encode(hello) else { preconditionFailure("a configuration is always JSON") }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// The line for a delivery.
    static func delivery(_ delivery: Delivery) -> [UInt8] {
        Array(#"{"deliver":"#.utf8) + CloudEvent.json(delivery) + Array("}\n".utf8)
    }

    /// What a line says.
    static func answer(_ line: [UInt8]) -> Answer {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(line)) else {
            let text = PlainText.shortened(PlainText.line(String(decoding: line.prefix(400), as: UTF8.self)), to: 80)
            return .nonsense("wrote a line that is no answer: '\(text)'")
        }
        if let version = wire.ready { return .ready(version: version, maxConcurrent: wire.maxConcurrent ?? 1) }
        guard let id = wire.id, let word = wire.outcome else {
            return .nonsense("wrote an answer without 'id' and 'outcome'")
        }
        let reason = wire.reason.map { PlainText.shortened(PlainText.line($0), to: 200) }
        switch word {
        case "delivered": return .outcome(id: id, .delivered)
        case "retry":
            let seconds = wire.after.map { min(max(0, $0), longestWait) }
            return .outcome(id: id, .retry(after: seconds.map { .seconds($0) }, reason: reason))
        case "dead": return .outcome(id: id, .dead(reason: reason))
        default: return .outcome(id: id, .unknown(PlainText.shortened(PlainText.line(word), to: 40)))
        }
    }

    private struct Hello: Encodable {
        var hello: Int
        var config: ConfigValue
    }

    private struct Wire: Decodable {
        var ready: Int?
        var maxConcurrent: Int?
        var id: String?
        var outcome: String?
        var after: Double?
        var reason: String?

        enum CodingKeys: String, CodingKey {
            case ready, id, outcome, after, reason
            case maxConcurrent = "max-concurrent"
        }
    }

    private struct ConfigValue: Encodable {
        var node: Node

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            switch node.content {
            case .scalar(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            case .sequence(let items):
                var container = encoder.unkeyedContainer()
                for item in items { try container.encode(ConfigValue(node: item)) }
            case .mapping(let entries):
                var container = encoder.container(keyedBy: Key.self)
                for entry in entries {
                    try container.encode(ConfigValue(node: entry.value), forKey: Key(stringValue: entry.key))
                }
            }
        }
    }
}
