import TminusCore

/// Adds an entry at the end of a mapping in flow style, JSON or YAML.
struct FlowInsertion {
    /// The mapping.
    var node: Node
    /// The text that contains it.
    var text: EditableText
    /// The style of the file.
    var style: FlowText

    /// The changes that add an entry after the last one, on a line of its own if the last one has one. Mappings inside
    /// it get lines of their own, down to `levels` levels, if those of its neighbours do.
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
        // After a comment that belongs to the last entry.
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

    /// Adds the first entry. It gets its own line in a document of several lines, and in an empty document.
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

    /// Whether the line of the opening brace starts with its key, as in a document with a line per key.
    private var isTall: Bool {
        let line = text.line(node.range.start.line)
        guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return false }
        return first == UInt8(ascii: "\"")
    }

    /// A comma after the last value, which YAML allows.
    private func trailingComma(from offset: Int) -> Int? {
        let place = text.skipBlanks(from: offset)
        return place < text.bytes.count && text.bytes[place] == UInt8(ascii: ",") ? place : nil
    }
}
