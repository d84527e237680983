import TminusCore

/// Writes a definition in YAML block style.
struct BlockText {
    /// The maximum length of a line that could be broken.
    static let width = 100

    /// The indentation of each level.
    var unit = 2
    /// The style of values in braces.
    var flow = FlowText()

    /// The lines of a key and its value, without line breaks. A definition without keys is `{}`. Lists and inner
    /// mappings are written in flow style while they fit into the line.
    func lines(_ key: String, _ value: Node, indentation: Int, isDefinition: Bool = false) -> [String] {
        let blanks = String(repeating: " ", count: indentation)
        let name = blanks + ScalarText.yaml(key, under: nil, inFlow: false) + ":"
        switch value.content {
        case .scalar(let text):
            return ["\(name) \(ScalarText.yaml(text, under: key, inFlow: false))"]
        case .null: return [isDefinition ? "\(name) {}" : name]
        case .sequence(let items):
            let line = "\(name) \(flow.line(value))"
            if items.isEmpty || line.utf8.count <= Self.width { return [line] }
            return [name] + items.map { "\(blanks)\(String(repeating: " ", count: unit))- \(flow.line($0))" }
        case .mapping(let entries):
            let line = "\(name) \(flow.line(value))"
            if entries.isEmpty || !isDefinition && line.utf8.count <= Self.width { return [line] }
            return [name] + entries.flatMap { lines($0.key, $0.value, indentation: indentation + unit) }
        }
    }

    /// A key and its value in one line, if they fit.
    func line(_ key: String, _ value: Node, indentation: Int) -> String? {
        let line = String(repeating: " ", count: indentation) + flow.entry(key, value)
        return line.utf8.count <= Self.width ? line : nil
    }
}
