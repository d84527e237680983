package import TminusCore

/// A change of one definition in the text of a file that leaves every other byte as it is.
package struct DefinitionEdit: Sendable {
    /// What is done.
    package enum Change: Sendable, Hashable {
        /// A definition is added at the end of its section.
        case insert(Node)
        /// A definition is removed, with its comments: those directly above it at the same indentation, those in its lines, and
        /// those directly below it that are indented deeper. Of blank lines on both sides of it one goes too, and the one that
        /// would be left between the section and its first definition.
        case remove
    }

    /// Why an edit cannot be made. The text was left as it is.
    package struct Problem: Error, Sendable, Hashable {
        /// One sentence: what is wrong and what to do.
        package var message: String
        /// What is wrong with the file.
        package var diagnostics: [Diagnostic] = []
    }

    /// What became of a text.
    package struct Result: Sendable, Hashable {
        /// The new text.
        package var bytes: [UInt8]
        /// The line of the definition's id: in the new text, or where it stood.
        package var line: Int
    }

    /// `events`, `timers` or `stopwatches`.
    package var section: String
    /// The id of the definition.
    package var id: String
    /// What is done.
    package var change: Change

    /// An edit.
    package init(_ change: Change, id: String, section: String) {
        (self.change, self.id, self.section) = (change, id, section)
    }

    /// Makes the edit in the text of the file at `path`, which decides between YAML and JSON.
    ///
    /// The result is read again and differs from the text by that definition and nothing else; errors otherwise, and if the
    /// syntax of the text is broken, the id is there already, or is not there.
    package func apply(to bytes: [UInt8], path: String) throws(Problem) -> Result {
        let root = try Self.document(bytes, path)
        let sectionNode = root.entry(section)?.value ?? Node(.null)
        if case .insert = change, let entry = sectionNode.entry(id) {
            throw Problem(message: "\(path):\(entry.keyRange.start.line): '\(id)' is there already")
        }
        if case .remove = change, sectionNode.entry(id) == nil {
            throw Problem(message: "\(path): there is no '\(id)' under '\(section)'")
        }
        let wanted = Self.meaning(of: expected(root))
        let text = EditableText(bytes)
        for candidate in candidates(root, text, isJSON: path.lowercased().hasSuffix(".json")) {
            let result = text.applying(candidate)
            guard let new = try? Self.document(result, path), Self.meaning(of: new) == wanted else { continue }
            let place = new.entry(section)?.value.entry(id) ?? sectionNode.entry(id)
            return Result(bytes: result, line: place?.keyRange.start.line ?? 0)
        }
        throw Problem(
            message:
                "\(path): the file is written in a way in which '\(id)' cannot be changed without touching the rest; "
                + "edit it by hand")
    }

    /// The sections of a file that hold definitions.
    package static let sections = ["events", "timers", "stopwatches"]

    private static func document(_ bytes: [UInt8], _ path: String) throws(Problem) -> Node {
        let read = DocumentReader.read(bytes, path: path)
        guard let root = read.root, !read.diagnostics.hasErrors else {
            throw Problem(message: "\(path): has an error, mend it first", diagnostics: read.diagnostics.diagnostics)
        }
        switch root.content {
        case .mapping, .null: return root
        default: throw Problem(message: "\(path): is not a mapping of sections, mend it first")
        }
    }

    /// The ways to write the edit, best first. Where one would change the meaning of something else, the next is tried.
    private func candidates(_ root: Node, _ text: EditableText, isJSON: Bool) -> [[TextChange]] {
        switch change {
        case .insert(let body):
            let insertion = DefinitionInsertion(id: id, body: body, section: section, root: root, text: text)
            return isJSON || root.isFlow(in: text)
                ? [insertion.inFlow(isJSON: isJSON)]
                : [insertion.inBlock(isSeparated: true), insertion.inBlock(isSeparated: false)]
        case .remove:
            guard let node = root.entry(section)?.value else { return [] }
            if isJSON || node.isFlow(in: text) {
                return [FlowRemoval(node: node, text: text, hasComments: !isJSON).changes(removing: id)]
            }
            let removal = BlockRemoval(node: node, text: text)
            return [
                removal.changes(removing: id, withBlankLine: true), removal.changes(removing: id, withBlankLine: false),
            ]
        }
    }

    private func expected(_ root: Node) -> Node {
        let sectionNode = root.entry(section)?.value ?? Node(.mapping([]))
        switch change {
        case .insert(let body): return root.setting(section, sectionNode.setting(id, body))
        case .remove: return root.setting(section, sectionNode.removing(id))
        }
    }

    /// What a document says: an empty section says nothing.
    private static func meaning(of root: Node) -> String {
        Node(
            .mapping(
                root.entries.filter { !(sections.contains($0.key) && $0.value.isEmpty) }.map { entry in
                    guard sections.contains(entry.key) else { return entry }
                    // A definition without keys may be nothing or an empty mapping.
                    let items = entry.value.entries.map { item in
                        item.value.isEmpty ? Node.Entry(key: item.key, value: Node(.mapping([]))) : item
                    }
                    return Node.Entry(key: entry.key, value: items.isEmpty ? entry.value : Node(.mapping(items)))
                })
        ).canonicalText
    }
}
