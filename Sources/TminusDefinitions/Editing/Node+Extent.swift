import TminusCore

extension Node {
    /// The entries of a mapping; none for anything else.
    var entries: [Entry] {
        if case .mapping(let entries) = content { entries } else { [] }
    }

    /// Whether it is nothing, or a mapping without entries.
    var isEmpty: Bool { content == .null || content == .mapping([]) }

    /// The entry of a mapping with that key.
    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    /// The same without that entry.
    func removing(_ key: String) -> Node { Node(.mapping(entries.filter { $0.key != key }), range: range) }

    /// The same with that entry, in the place of the one with the same key or at the end.
    func setting(_ key: String, _ value: Node) -> Node {
        var entries = entries
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].value = value
        } else {
            entries.append(Entry(key: key, value: value))
        }
        return Node(.mapping(entries), range: range)
    }

    /// Whether a list or mapping is written in brackets.
    func isFlow(in text: EditableText) -> Bool {
        switch content {
        case .scalar, .null: return false
        case .sequence, .mapping:
            let offset = text.offset(range.start)
            return offset < text.bytes.count && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text.bytes[offset])
        }
    }

    /// The end of what was written: the reader gives blocks no end of their own.
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
    /// The end of key and value.
    func contentEnd(in text: EditableText) -> SourceMark { max(keyRange.end, value.contentEnd(in: text)) }

    /// The last line of key and value. A block scalar ends at the beginning of a line; blank lines behind it are left out.
    func lastLine(in text: EditableText) -> Int {
        let end = contentEnd(in: text)
        guard end.column == 1, end.line > keyRange.start.line else { return end.line }
        var line = end.line - 1
        while line > keyRange.start.line, text.isBlank(line) { line -= 1 }
        return line
    }
}
