import TminusCore

/// Takes an entry out of a YAML mapping that is written as a block.
struct BlockRemoval {
    /// The mapping.
    var node: Node
    /// The text that it stands in.
    var text: EditableText

    /// The lines of the entry with its comments; and one blank line, if there are blank lines on both sides, or the first of
    /// several goes.
    func changes(removing key: String, withBlankLine: Bool) -> [TextChange] {
        guard let index = node.entries.firstIndex(where: { $0.key == key }) else { return [] }
        let entry = node.entries[index]
        let column = entry.keyRange.start.column
        let floor = index > 0 ? node.entries[index - 1].lastLine(in: text) : node.range.start.line - 1
        var first = entry.keyRange.start.line
        var last = entry.lastLine(in: text)
        // The first entry's comments stand before the mapping begins.
        while first > 1, index == 0 || first - 1 > floor, text.commentColumn(first - 1) == column { first -= 1 }
        while last < text.lineCount, let comment = text.commentColumn(last + 1), comment > column { last += 1 }

        if withBlankLine, first > 1, text.isBlank(first - 1) {
            let below = last + 1
            let isEnd = (below...max(below, text.lineCount)).allSatisfy { $0 > text.lineCount || text.isBlank($0) }
            if isEnd || text.isBlank(below) { first -= 1 }
        } else if withBlankLine, index == 0, node.entries.count > 1, last < text.lineCount, text.isBlank(last + 1) {
            // The next one is the first now, directly below the section.
            last += 1
        }
        var range = text.start(ofLine: first)..<text.start(ofLine: last + 1)
        // At the end of a text without a final line end, the line before loses its own.
        if range.upperBound == text.bytes.count, text.bytes.last != UInt8(ascii: "\n"), first > 1 {
            range = (text.line(first - 1).endIndex)..<range.upperBound
        }
        return [TextChange(range)]
    }
}
