import TminusCore

extension Node {
    /// The entries of a mapping; empty for any other node.
    var entries: [Entry] {
        if case .mapping(let entries) = content { entries } else { [] }
    }

    /// Whether the node is null or an empty mapping.
    var isEmpty: Bool { content == .null || content == .mapping([]) }

    /// The entry with that key.
    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    /// The mapping without that entry.
    func removing(_ key: String) -> Node { Node(.mapping(entries.filter { $0.key != key }), range: range) }

    /// The mapping with that entry, in place of the one with the same key, or at the end.
    func setting(_ key: String, _ value: Node) -> Node {
        var entries = entries
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].value = value
        } else {
            entries.append(Entry(key: key, value: value))
        }
        return Node(.mapping(entries), range: range)
    }

    /// Whether a list or mapping is written in flow style.
    func isFlow(in text: EditableText) -> Bool {
        switch content {
        case .scalar, .null: return false
        case .sequence, .mapping:
            let offset = text.offset(range.start)
            return offset < text.bytes.count && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text.bytes[offset])
        }
    }

    /// The end of the written text; the parser reports none for block collections.
    func contentEnd(in text: EditableText) -> SourceMark {
        switch content {
        case .scalar, .null: return range.end
        case .sequence(let items):
            return isFlow(in: text) ? range.end : items.map { $0.contentEnd(in: text) }.max() ?? range.end
        case .mapping(let entries):
            return isFlow(in: text) ? range.end : entries.map { $0.contentEnd(in: text) }.max() ?? range.end
        }
    }
}

extension Node.Entry {
    /// The end of the key and its value.
    func contentEnd(in text: EditableText) -> SourceMark { max(keyRange.end, value.contentEnd(in: text)) }

    /// The last line of the key and its value. A block scalar ends at the start of a line; blank lines after it are
    /// excluded.
    func lastLine(in text: EditableText) -> Int {
        let end = contentEnd(in: text)
        guard end.column == 1, end.line > keyRange.start.line else { return end.line }
        var line = end.line - 1
        while line > keyRange.start.line, text.isBlank(line) { line -= 1 }
        return line
    }
}
