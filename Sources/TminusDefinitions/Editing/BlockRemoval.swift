import TminusCore

/// Removes an entry from a YAML mapping in block style.
struct BlockRemoval {
    /// The mapping.
    var node: Node
    /// The text that contains it.
    var text: EditableText

    /// The changes that remove the lines of the entry and its comments. With `withBlankLine`, one blank line goes too
    /// if there are blank lines on both sides, or if the first of several entries is removed.
    func changes(removing key: String, withBlankLine: Bool) -> [TextChange] {
        guard let index = node.entries.firstIndex(where: { $0.key == key }) else { return [] }
        let entry = node.entries[index]
        let column = entry.keyRange.start.column
        let floor = index > 0 ? node.entries[index - 1].lastLine(in: text) : node.range.start.line - 1
        var first = entry.keyRange.start.line
        var last = entry.lastLine(in: text)
        // The comments of the first entry are before the start of the mapping.
        while first > 1, index == 0 || first - 1 > floor, text.commentColumn(first - 1) == column { first -= 1 }
        while last < text.lineCount, let comment = text.commentColumn(last + 1), comment > column { last += 1 }

        if withBlankLine, first > 1, text.isBlank(first - 1) {
            let below = last + 1
            let isEnd = (below...max(below, text.lineCount)).allSatisfy { $0 > text.lineCount || text.isBlank($0) }
            if isEnd || text.isBlank(below) { first -= 1 }
        } else if withBlankLine, index == 0, node.entries.count > 1, last < text.lineCount, text.isBlank(last + 1) {
            // The next entry becomes the first and moves directly below the section.
            last += 1
        }
        var range = text.start(ofLine: first)..<text.start(ofLine: last + 1)
        // If the text has no final line break, the line before loses its own.
        if range.upperBound == text.bytes.count, text.bytes.last != UInt8(ascii: "\n"), first > 1 {
            range = (text.line(first - 1).endIndex)..<range.upperBound
        }
        return [TextChange(range)]
    }
}
