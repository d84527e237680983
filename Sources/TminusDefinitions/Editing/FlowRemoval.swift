import TminusCore

/// Removes an entry, with one comma, from a mapping in flow style, JSON or YAML.
struct FlowRemoval {
    /// The mapping.
    var node: Node
    /// The text that contains it.
    var text: EditableText
    /// Whether `#` starts a comment.
    var hasComments: Bool

    /// The changes that remove the entry, including its whole lines if it shares them with nothing else.
    func changes(removing key: String) -> [TextChange] {
        let entries = node.entries
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return [] }
        let entry = entries[index]
        let start = text.offset(entry.keyRange.start)
        let end = text.offset(entry.contentEnd(in: text))
        let comma = self.comma(from: end)
        let behind = comma.map { $0 + 1 } ?? end
        let before = index > 0 ? text.offset(entries[index - 1].contentEnd(in: text)) : nil

        if entries.count == 1, let inside = insideWithout(start..<behind) { return [TextChange(inside)] }
        if text.isFirst(at: entry.keyRange.start), text.isRestOfLineEmpty(from: behind) {
            var first = entry.keyRange.start.line
            let floor = index > 0 ? entries[index - 1].contentEnd(in: text).line : node.range.start.line
            while hasComments, first - 1 > floor, text.commentColumn(first - 1) == entry.keyRange.start.column {
                first -= 1
            }
            var changes = [
                TextChange(
                    text.start(ofLine: first)..<text.start(ofLine: entry.contentEnd(in: text).line + 1))
            ]
            // No comma may remain before the closing brace.
            if comma == nil, let before, let former = self.comma(from: before) {
                changes.append(TextChange(former..<former + 1))
            }
            return changes
        }
        if index + 1 < entries.count { return [TextChange(start..<text.offset(entries[index + 1].keyRange.start))] }
        guard let before else { return [TextChange(start..<behind)] }
        if let former = self.comma(from: before), hasComment(in: before..<start) {
            return [TextChange(former..<former + 1), TextChange(start..<end)]
        }
        return [TextChange(before..<end)]
    }

    /// The range between the braces, if it contains only the entry.
    private func insideWithout(_ entry: Range<Int>) -> Range<Int>? {
        let inside = text.offset(node.range.start) + 1..<max(text.offset(node.range.end) - 1, entry.upperBound)
        let rest = text.bytes[inside.lowerBound..<entry.lowerBound] + text.bytes[entry.upperBound..<inside.upperBound]
        return rest.allSatisfy { $0 <= 0x20 } ? inside : nil
    }

    /// The comma that follows a value, possibly after line breaks and comments.
    private func comma(from offset: Int) -> Int? {
        var place = offset
        while place < text.bytes.count {
            switch text.bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            case UInt8(ascii: "#") where hasComments:
                while place < text.bytes.count, text.bytes[place] != 0x0A { place += 1 }
            case UInt8(ascii: ","): return place
            default: return nil
            }
        }
        return nil
    }

    private func hasComment(in range: Range<Int>) -> Bool {
        hasComments && text.bytes[range].contains(UInt8(ascii: "#"))
    }
}
