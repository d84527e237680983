import TminusCore

/// Writes a definition as a block of YAML.
struct BlockText {
    /// The longest line that is written where there is a choice.
    static let width = 100

    /// By how much each level is indented.
    var unit = 2
    /// What is written in braces.
    var flow = FlowText()

    /// The lines of a key and its value, without their ends. A definition without keys is `{}`; lists and inner mappings
    /// stand in brackets while they fit into the line.
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

    /// A key and its value in one line, if it fits.
    func line(_ key: String, _ value: Node, indentation: Int) -> String? {
        let line = String(repeating: " ", count: indentation) + flow.entry(key, value)
        return line.utf8.count <= Self.width ? line : nil
    }
}
