import TminusCore

/// Puts an entry at the end of a mapping in braces, of JSON or YAML.
struct FlowInsertion {
    /// The mapping.
    var node: Node
    /// The text that it stands in.
    var text: EditableText
    /// How the file is written.
    var style: FlowText

    /// The entry behind the last one: on a line of its own where that one is. Its mappings are on lines of their own down to so
    /// many levels where those of its neighbours are.
    func changes(inserting key: String, _ value: Node, levels: Int) -> [TextChange] {
        guard let last = node.entries.last else { return [inEmpty(key, value, levels: levels)] }
        let end = text.offset(last.contentEnd(in: text))
        let comma = trailingComma(from: end)
        guard text.isFirst(at: last.keyRange.start) else {
            let entry = style.entry(key, value)
            guard let comma else { return [TextChange(at: end, style.comma + entry)] }
            return [TextChange(at: comma + 1, (style.comma == "," ? "" : " ") + entry + ",")]
        }
        let indentation = text.indentation(ofLine: last.keyRange.start.line)
        let isTall = last.value.range.start.line < last.value.range.end.line || last.value.isEmpty || levels > 1
        let entry = style.entry(key, value, indentation: indentation, levels: isTall ? levels : 0)
        // Behind a comment that belongs to the last entry.
        let behind = comma.map { $0 + 1 } ?? end
        var place = behind
        if text.isRestOfLineEmpty(from: behind) {
            while place < text.bytes.count, text.bytes[place] != 0x0A, text.bytes[place] != 0x0D { place += 1 }
        }
        let line = style.lineEnd + indentation + entry
        if comma != nil { return [TextChange(at: place, line + ",")] }
        return place == end
            ? [TextChange(at: end, "," + line)] : [TextChange(at: end, ","), TextChange(at: place, line)]
    }

    /// The first entry. In a document of several lines, and in one that is empty, it gets a line.
    private func inEmpty(_ key: String, _ value: Node, levels: Int) -> TextChange {
        let inside = text.offset(node.range.start) + 1..<text.offset(node.range.end) - 1
        let isRoot = node.range.start == SourceMark(line: 1, column: 1)
        guard style.isJSON, isRoot || text.line(node.range.start.line).endIndex < text.offset(node.range.end) || isTall
        else {
            return TextChange(inside, style.padding + style.entry(key, value) + style.padding)
        }
        let outer = text.indentation(ofLine: node.range.start.line)
        let inner = outer + style.unit
        let entry = style.entry(key, value, indentation: inner, levels: levels)
        return TextChange(inside, style.lineEnd + inner + entry + style.lineEnd + outer)
    }

    /// Whether the line of the braces begins with their key, as in a document that has a line for each.
    private var isTall: Bool {
        let line = text.line(node.range.start.line)
        guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return false }
        return first == UInt8(ascii: "\"")
    }

    /// The comma behind the last value, which YAML allows.
    private func trailingComma(from offset: Int) -> Int? {
        let place = text.skipBlanks(from: offset)
        return place < text.bytes.count && text.bytes[place] == UInt8(ascii: ",") ? place : nil
    }
}
