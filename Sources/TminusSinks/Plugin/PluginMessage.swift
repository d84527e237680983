import FoundationEssentials
import TminusCore

/// The lines of the plug-in protocol, version 1: JSON (RFC 8259), UTF-8, one object a line.
enum PluginMessage {
    /// The version that tminus speaks.
    static let version = 1
    /// The most bytes of a line of a plug-in.
    static let lineLimit = 65_536
    /// The longest wait that a plug-in can ask for.
    private static let longestWait = 86_400.0

    /// A line of a plug-in.
    enum Answer: Equatable {
        /// It speaks this version and takes this many deliveries at once.
        case ready(version: Int, maxConcurrent: Int)
        /// It has finished a delivery.
        case outcome(id: String, Outcome)
        /// The line is not part of the protocol; holds the reason.
        case nonsense(String)
    }

    /// The outcome of a delivery.
    enum Outcome: Equatable {
        case delivered
        case retry(after: Duration?, reason: String?)
        case dead(reason: String?)
        /// A word that is not part of the protocol.
        case unknown(String)
    }

    /// The first line to a plug-in. All scalars of `config` are text, which the plug-in interprets.
    static func hello(config: Node?) -> [UInt8] {
        Array("{\"config\":\(config.map(json) ?? "{}"),\"hello\":\(version)}\n".utf8)
    }

    private static func json(_ node: Node) -> String {
        switch node.content {
        case .scalar(let text): return quoted(text)
        case .null: return "null"
        case .sequence(let items): return "[\(items.map(json).joined(separator: ","))]"
        case .mapping(let entries):
            let members = entries.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(json($0.value))" }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(JSONWriter.escaped(text))\"" }

    /// The line for a delivery.
    static func delivery(_ delivery: Delivery) -> [UInt8] {
        Array(#"{"deliver":"#.utf8) + CloudEvent.json(delivery) + Array("}\n".utf8)
    }

    /// Decodes a line of a plug-in. Its texts are without the secrets of `redaction`, and are shortened after that.
    static func answer(_ line: [UInt8], _ redaction: Redaction = Redaction()) -> Answer {
        func shown(_ text: String, _ limit: Int) -> String {
            PlainText.shortened(VisibleText.line(redaction.clean(text)), to: limit)
        }
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(line)) else {
            let head = redaction.clean(Array(line.prefix(400)), cuts: line.count > 400 ? .end : [])
            let text = PlainText.shortened(VisibleText.line(String(decoding: head, as: UTF8.self)), to: 80)
            return .nonsense("wrote a line that is no answer: '\(text)'")
        }
        if let version = wire.ready { return .ready(version: version, maxConcurrent: wire.maxConcurrent ?? 1) }
        guard let id = wire.id, let word = wire.outcome else {
            return .nonsense("wrote an answer without 'id' and 'outcome'")
        }
        let reason = wire.reason.map { shown($0, 200) }
        switch word {
        case "delivered": return .outcome(id: id, .delivered)
        case "retry":
            let seconds = wire.after.map { min(max(0, $0), longestWait) }
            return .outcome(id: id, .retry(after: seconds.map { .seconds($0) }, reason: reason))
        case "dead": return .outcome(id: id, .dead(reason: reason))
        default: return .outcome(id: id, .unknown(shown(word, 40)))
        }
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
}
