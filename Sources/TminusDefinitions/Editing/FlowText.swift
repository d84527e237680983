import TminusCore

/// Writes values in flow style, JSON or YAML, with the spacing of a file.
struct FlowText {
    /// Whether it is JSON.
    var isJSON = false
    /// The text after a key.
    var colon = ": "
    /// The text between two items on one line.
    var comma = ", "
    /// The text inside the braces of a mapping on one line.
    var padding = " "
    /// One step of indentation.
    var unit = "  "
    /// The line break.
    var lineEnd = "\n"

    /// A key and its value in one line.
    func entry(_ key: String, _ value: Node) -> String { name(key) + colon + line(value, under: key) }

    /// A key and its value; mappings get lines of their own, down to `levels` levels.
    func entry(_ key: String, _ value: Node, indentation: String, levels: Int) -> String {
        guard levels > 0, case .mapping(let entries) = value.content, !entries.isEmpty else { return entry(key, value) }
        let inner = indentation + unit
        let lines = entries.map {
            inner + entry($0.key, $0.value, indentation: inner, levels: levels - 1)
        }
        return name(key) + colon + "{" + lineEnd + lines.joined(separator: "," + lineEnd) + lineEnd + indentation + "}"
    }

    /// A value on one line.
    func line(_ node: Node, under key: String? = nil) -> String {
        switch node.content {
        case .scalar(let text):
            return isJSON ? ScalarText.json(text, under: key) : ScalarText.yaml(text, under: key, inFlow: true)
        case .null: return isJSON ? "null" : "{}"
        case .sequence(let items): return "[" + items.map { line($0) }.joined(separator: comma) + "]"
        case .mapping(let entries):
            if entries.isEmpty { return "{}" }
            return "{" + padding + entries.map { entry($0.key, $0.value) }.joined(separator: comma) + padding + "}"
        }
    }

    private func name(_ key: String) -> String {
        isJSON ? ScalarText.json(key, under: nil) : ScalarText.yaml(key, under: nil, inFlow: true)
    }
}

extension FlowText {
    /// Derives the style from a JSON document or a YAML mapping in flow style.
    init(of node: Node, in text: EditableText, isJSON: Bool) {
        self.isJSON = isJSON
        lineEnd = text.lineEnd
        let (colons, commas) = Self.gaps(of: node, in: text)
        // YAML reads `key:value` as a single word.
        if isJSON, !colons.isEmpty, !colons.contains(true) { colon = ":" }
        if commas.isEmpty ? colon == ":" : !commas.contains(true) { comma = "," }
        padding = isJSON ? "" : " "
        if let brace = Self.braces(of: node, in: text).first {
            padding = brace ? " " : ""
        } else if isJSON, colon == ": " {
            padding = text.lineCount > 2 ? " " : ""
        }
        unit = Self.unit(of: node, in: text) ?? "  "
    }

    /// Whether a blank follows each colon, and each comma that does not end its line.
    private static func gaps(of node: Node, in text: EditableText) -> (colons: [Bool], commas: [Bool]) {
        var colons: [Bool] = []
        var commas: [Bool] = []
        for (index, entry) in node.entries.enumerated() {
            let value = text.offset(entry.value.range.start)
            if value > 0, entry.value.content != .null { colons.append(text.bytes[value - 1] != UInt8(ascii: ":")) }
            let start = text.offset(entry.keyRange.start)
            if index > 0, !text.isFirst(at: entry.keyRange.start) {
                commas.append(text.bytes[start - 1] != UInt8(ascii: ","))
            }
            let inner = gaps(of: entry.value, in: text)
            colons += inner.colons
            commas += inner.commas
        }
        return (colons, commas)
    }

    /// Whether there is a blank inside the braces of each mapping whose first entry is on the line of its brace.
    private static func braces(of node: Node, in text: EditableText) -> [Bool] {
        let inner = node.entries.flatMap { braces(of: $0.value, in: text) }
        guard let first = node.entries.first, node.isFlow(in: text), !text.isFirst(at: first.keyRange.start),
            first.keyRange.start.line == node.range.start.line
        else { return inner }
        return inner + [text.offset(first.keyRange.start) > text.offset(node.range.start) + 1]
    }

    /// The indentation of the first entry on its own line, relative to the line of its brace.
    private static func unit(of node: Node, in text: EditableText) -> String? {
        if let first = node.entries.first, node.isFlow(in: text), text.isFirst(at: first.keyRange.start) {
            let outer = text.indentation(ofLine: node.range.start.line)
            let inner = text.indentation(ofLine: first.keyRange.start.line)
            if inner.hasPrefix(outer), inner.utf8.count > outer.utf8.count {
                return String(inner.dropFirst(outer.utf8.count))
            }
        }
        for entry in node.entries {
            if let unit = unit(of: entry.value, in: text) { return unit }
        }
        return nil
    }
}
