import TminusCore

/// A JSON value whose members keep their order, for documents that are compared with a committed copy.
indirect enum SchemaValue: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case array([SchemaValue])
    case object([(String, SchemaValue)])

    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: SchemaValue...) { self = .array(elements) }

    /// The value of a YAML text for a key of that type, with the JSON type that it has then.
    ///
    /// Texts become strings, whole numbers become numbers, Booleans become Booleans: the key decides the type.
    init?(yaml text: String, as type: KeyTable.ValueType) {
        let result = DocumentReader.read(Array("value: \(text)".utf8), path: "value.yaml")
        guard case .mapping(let entries)? = result.root?.content, let node = entries.first?.value,
            !result.diagnostics.hasErrors
        else { return nil }
        self.init(node, as: type)
    }

    private init(_ node: Node, as type: KeyTable.ValueType) {
        switch (node.content, type) {
        case (.scalar(let text), .boolean): self = .boolean(text == "true")
        case (.scalar(let text), .integer): self = Int(text).map { .integer($0) } ?? .string(text)
        case (.scalar(let text), _): self = .string(text)
        case (.null, _): self = .null
        case (.sequence(let items), _): self = .array(items.map { Self($0, as: .text) })
        case (.mapping(let entries), _): self = .object(entries.map { ($0.key, Self($0.value, as: .text)) })
        }
    }

    /// JSON with the members in order, indented by two spaces; short values are on one line.
    func text(indent: String = "") -> String {
        let short = oneLine
        if indent.utf8.count + short.utf8.count <= 110 { return short }
        let inner = indent + "  "
        switch self {
        case .array(let items):
            return "[\n" + items.map { inner + $0.text(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members):
            return "{\n"
                + members.map { "\(inner)\(Escaping.json($0.0)): \($0.1.text(indent: inner))" }.joined(separator: ",\n")
                + "\n\(indent)}"
        default: return short
        }
    }

    private var oneLine: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .string(let value): Escaping.json(value)
        case .array(let items): "[" + items.map(\.oneLine).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(Escaping.json($0.0)): \($0.1.oneLine)" }.joined(separator: ", ") + "}"
        }
    }
}
