import TminusCore

/// Adds a definition at the end of its section, in the style of the file.
struct DefinitionInsertion {
    var id: String
    var body: Node
    var section: String
    /// The document.
    var root: Node
    /// The text that contains it.
    var text: EditableText

    /// The changes for a document in flow style, JSON or YAML.
    func inFlow(isJSON: Bool) -> [TextChange] {
        let style = FlowText(of: root, in: text, isJSON: isJSON)
        guard let entry = root.entry(section) else {
            return FlowInsertion(node: root, text: text, style: style)
                .changes(inserting: section, Node(.mapping([Node.Entry(key: id, value: body)])), levels: 2)
        }
        guard entry.value.content != .null else {
            // The section is null; it becomes a mapping.
            let new = style.line(Node(.mapping([Node.Entry(key: id, value: body)])))
            let range = text.offset(entry.value.range.start)..<text.offset(entry.value.range.end)
            return [TextChange(range, range.isEmpty ? " \(new)" : new)]
        }
        // Text or a list has no place for an entry.
        guard case .mapping = entry.value.content else { return [] }
        return FlowInsertion(node: entry.value, text: text, style: style).changes(inserting: id, body, levels: 1)
    }

    /// The changes for a YAML document in block style. `isSeparated` puts a blank line before the definition if the
    /// file does so.
    func inBlock(isSeparated: Bool) -> [TextChange] {
        guard let entry = root.entry(section) else { return newSection(isSeparated: isSeparated) }
        if case .mapping(let entries) = entry.value.content, entry.value.isFlow(in: text) {
            let start = text.offset(entry.value.range.start)
            let end = text.offset(entry.value.range.end)
            if entries.isEmpty, text.bytes[start..<end].allSatisfy({ $0 != 0x0A }) {
                // Replaces `{}`, which may have a line of its own, by a block.
                var colon = start
                while colon > 0, [0x20, 0x09, 0x0D, 0x0A].contains(text.bytes[colon - 1]) { colon -= 1 }
                let below = insertion(
                    definition(indentation: indentation(below: entry)), belowLine: entry.value.range.end.line)
                return [TextChange(colon..<end), below]
            }
            let style = FlowText(of: entry.value, in: text, isJSON: false)
            return FlowInsertion(node: entry.value, text: text, style: style).changes(inserting: id, body, levels: 0)
        }
        guard let last = entry.value.entries.last else {
            return [insertion(definition(indentation: indentation(below: entry)), belowLine: entry.keyRange.end.line)]
        }
        let column = last.keyRange.start.column
        var line = last.lastLine(in: text)
        // Blank lines after a block scalar can belong to it, so the text goes behind them.
        if !isSeparated, last.contentEnd(in: text).column == 1 {
            line = max(line, last.contentEnd(in: text).line - 1)
        }
        while line < text.lineCount, let comment = text.commentColumn(line + 1), comment > column { line += 1 }
        var lines = definition(indentation: column - 1, like: last)
        if isSeparated, separatesDefinitions(entry.value) { lines.insert("", at: 0) }
        return [insertion(lines, belowLine: line)]
    }

    private func newSection(isSeparated: Bool) -> [TextChange] {
        let column = root.entries.first?.keyRange.start.column ?? 1
        let blanks = String(repeating: " ", count: column - 1)
        var lines = ["\(blanks)\(section):"] + definition(indentation: column - 1 + entryStep)
        // Before the end marker of the document, if there is one.
        var line = text.lineCount
        for candidate in 1...text.lineCount where text.line(candidate).starts(with: Array("...".utf8)) {
            line = min(line, candidate - 1)
        }
        if line == text.lineCount, text.line(line).isEmpty { line -= 1 }
        if isSeparated, line > 0, !text.isBlank(line), !text.line(line).starts(with: Array("---".utf8)) {
            lines.insert("", at: 0)
        }
        return [insertion(lines, belowLine: line)]
    }

    /// The lines of the definition: a single line if its neighbour has one, unless it is much longer.
    private func definition(indentation: Int, like neighbour: Node.Entry? = nil) -> [String] {
        var writer = BlockText(unit: bodyStep)
        if let neighbour, neighbour.value.isFlow(in: text), !neighbour.value.isEmpty {
            writer.flow = FlowText(of: neighbour.value, in: text, isJSON: false)
            if neighbour.keyRange.start.line == neighbour.value.range.end.line,
                body.entries.count <= max(2, neighbour.value.entries.count),
                let line = writer.line(id, body, indentation: indentation)
            {
                return [line]
            }
        }
        return writer.lines(id, body, indentation: indentation, isDefinition: true)
    }

    /// Inserts lines after a line, or at the beginning. If the text has no final line break, it still has none
    /// afterwards.
    private func insertion(_ lines: [String], belowLine line: Int) -> TextChange {
        let block = lines.joined(separator: text.lineEnd)
        if line == 0 { return TextChange(at: 0, block + text.lineEnd) }
        let place = text.start(ofLine: line + 1)
        let isOpen = place == text.bytes.count && text.bytes.last != UInt8(ascii: "\n")
        return TextChange(at: place, isOpen && place > 0 ? text.lineEnd + block : block + text.lineEnd)
    }

    private func indentation(below entry: Node.Entry) -> Int { entry.keyRange.start.column - 1 + entryStep }

    /// The indentation of ids below their section; 2 if the file shows none.
    private var entryStep: Int {
        blockSections.last { !$0.value.entries.isEmpty }
            .flatMap { section in section.value.entries.last.flatMap { step(from: section, to: $0) } }
            ?? 2
    }

    /// The indentation of keys below their id.
    private var bodyStep: Int {
        let own = root.entry(section).map { [$0] } ?? []
        let bodies = (blockSections + own).flatMap(\.value.entries).filter { !$0.value.isFlow(in: text) }
        return bodies.last { !$0.value.entries.isEmpty }
            .flatMap { entry in entry.value.entries.first.flatMap { step(from: entry, to: $0) } }
            ?? entryStep
    }

    /// How far an entry is indented below its parent. Nil if it is not: a key after `?` can stand further right than its
    /// content.
    private func step(from parent: Node.Entry, to entry: Node.Entry) -> Int? {
        let step = entry.keyRange.start.column - parent.keyRange.start.column
        return step > 0 ? step : nil
    }

    private var blockSections: [Node.Entry] { root.entries.filter { !$0.value.isFlow(in: text) } }

    /// Whether the last of several definitions of this section, or else of another one, has a blank line before it. A
    /// single definition in one line needs none.
    private func separatesDefinitions(_ node: Node) -> Bool {
        func isSeparated(_ entries: [Node.Entry]) -> Bool? {
            guard entries.count > 1 else { return nil }
            let range = entries[entries.count - 2].lastLine(in: text)...entries[entries.count - 1].keyRange.start.line
            return range.contains { text.isBlank($0) }
        }
        if let own = isSeparated(node.entries) { return own }
        if let only = node.entries.first, only.value.isFlow(in: text) { return false }
        return blockSections.compactMap { isSeparated($0.value.entries) }.last ?? false
    }
}
