import TminusCore

/// Puts a definition at the end of its section, in the style of the file.
struct DefinitionInsertion {
    var id: String
    var body: Node
    var section: String
    /// The document.
    var root: Node
    /// The text that it stands in.
    var text: EditableText

    /// For a document in braces, JSON or YAML.
    func inFlow(isJSON: Bool) -> [TextChange] {
        let style = FlowText(of: root, in: text, isJSON: isJSON)
        guard let entry = root.entry(section) else {
            return FlowInsertion(node: root, text: text, style: style)
                .changes(inserting: section, Node(.mapping([Node.Entry(key: id, value: body)])), levels: 2)
        }
        guard entry.value.content != .null else {
            // Nothing, which becomes the section.
            let new = style.line(Node(.mapping([Node.Entry(key: id, value: body)])))
            let range = text.offset(entry.value.range.start)..<text.offset(entry.value.range.end)
            return [TextChange(range, range.isEmpty ? " \(new)" : new)]
        }
        return FlowInsertion(node: entry.value, text: text, style: style).changes(inserting: id, body, levels: 1)
    }

    /// For a YAML document that is a block; `isSeparated` puts a blank line before the definition where the file does so.
    func inBlock(isSeparated: Bool) -> [TextChange] {
        guard let entry = root.entry(section) else { return newSection(isSeparated: isSeparated) }
        if case .mapping(let entries) = entry.value.content, entry.value.isFlow(in: text) {
            let start = text.offset(entry.value.range.start)
            let end = text.offset(entry.value.range.end)
            if entries.isEmpty, text.bytes[start..<end].allSatisfy({ $0 != 0x0A }) {
                // `{}` makes room for a block.
                var colon = start
                while colon > 0, text.bytes[colon - 1] == 0x20 || text.bytes[colon - 1] == 0x09 { colon -= 1 }
                let below = insertion(
                    definition(indentation: indentation(below: entry)), belowLine: entry.keyRange.start.line)
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
        // What a block scalar keeps of the blank lines behind it belongs to it.
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
        // Before the end mark of the document, if there is one.
        var line = text.lineCount
        for candidate in 1...text.lineCount where text.line(candidate).starts(with: Array("...".utf8)) {
            line = min(line, candidate - 1)
        }
        if text.line(line).isEmpty, line == text.lineCount { line -= 1 }
        if isSeparated, line > 0, !text.isBlank(line), !text.line(line).starts(with: Array("---".utf8)) {
            lines.insert("", at: 0)
        }
        return [insertion(lines, belowLine: line)]
    }

    /// The lines of the definition: in one line where its neighbour is, unless it has much more to say.
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

    /// Lines behind a line, or at the beginning. A text without a final line end keeps having none.
    private func insertion(_ lines: [String], belowLine line: Int) -> TextChange {
        let block = lines.joined(separator: text.lineEnd)
        if line == 0 { return TextChange(at: 0, block + text.lineEnd) }
        let place = text.start(ofLine: line + 1)
        let isOpen = place == text.bytes.count && text.bytes.last != UInt8(ascii: "\n")
        return TextChange(at: place, isOpen && place > 0 ? text.lineEnd + block : block + text.lineEnd)
    }

    private func indentation(below entry: Node.Entry) -> Int { entry.keyRange.start.column - 1 + entryStep }

    /// By how much the file indents ids below their section; 2 where nothing shows it.
    private var entryStep: Int {
        blockSections.last { !$0.value.entries.isEmpty }
            .flatMap { section in
                section.value.entries.last.map { $0.keyRange.start.column - section.keyRange.start.column }
            }
            ?? 2
    }

    /// By how much the file indents keys below their id.
    private var bodyStep: Int {
        let own = root.entry(section).map { [$0] } ?? []
        let bodies = (blockSections + own).flatMap(\.value.entries).filter { !$0.value.isFlow(in: text) }
        return bodies.last { !$0.value.entries.isEmpty }
            .flatMap { entry in entry.value.entries.first.map { $0.keyRange.start.column - entry.keyRange.start.column }
            }
            ?? entryStep
    }

    private var blockSections: [Node.Entry] { root.entries.filter { !$0.value.isFlow(in: text) } }

    /// Whether there is a blank line before the last of several definitions of this section, else of another; a single one
    /// in one line needs none.
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
