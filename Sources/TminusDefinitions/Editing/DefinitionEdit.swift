package import TminusCore

/// Changes one definition in the text of a file and keeps every other byte.
package struct DefinitionEdit: Sendable {
    /// The kind of change.
    package enum Change: Sendable, Hashable {
        /// Adds a definition at the end of its section.
        case insert(Node)
        /// Removes a definition with its comments: those directly above it at the same indentation, those in its lines,
        /// and those directly below it with a deeper indentation. Of blank lines on both sides, one is removed too, and
        /// so is the one that would remain between the section and its first definition.
        case remove
    }

    /// Why an edit was refused; the text is unchanged.
    package struct Problem: Error, Sendable, Hashable {
        /// One sentence: the problem and what to do.
        package var message: String
        /// The problems of the file.
        package var diagnostics: [Diagnostic] = []
    }

    /// The result of an edit.
    package struct Result: Sendable, Hashable {
        /// The new text.
        package var bytes: [UInt8]
        /// The line of the definition's id, in the new text, or in the old one after a removal.
        package var line: Int
    }

    /// `events`, `timers` or `stopwatches`.
    package var section: String
    /// The id of the definition.
    package var id: String
    /// The kind of change.
    package var change: Change

    /// Creates an edit.
    package init(_ change: Change, id: String, section: String) {
        (self.change, self.id, self.section) = (change, id, section)
    }

    /// Applies the edit to the text of the file at `path`, which selects YAML or JSON.
    ///
    /// The result is parsed again and must differ from the text only by that definition. Throws otherwise, and if the
    /// syntax of the text is invalid, the id exists already (insertion) or does not exist (removal).
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

    /// The sections of a file that contain definitions.
    package static let sections = ["events", "timers", "stopwatches"]

    private static func document(_ bytes: [UInt8], _ path: String) throws(Problem) -> Node {
        let read = DocumentReader.read(bytes, path: path)
        guard let root = read.root, !read.diagnostics.hasErrors else {
            throw Problem(message: "\(path): has an error; correct it first", diagnostics: read.diagnostics.diagnostics)
        }
        switch root.content {
        case .mapping, .null: return root
        default: throw Problem(message: "\(path): is not a mapping of sections; correct it first")
        }
    }

    /// The possible ways to write the edit, best first. If one changes the meaning of anything else, the next is tried.
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

    /// The meaning of a document; an empty section counts as absent.
    private static func meaning(of root: Node) -> String {
        Node(
            .mapping(
                root.entries.filter { !(sections.contains($0.key) && $0.value.isEmpty) }.map { entry in
                    guard sections.contains(entry.key) else { return entry }
                    // A definition without keys may be null or an empty mapping.
                    let items = entry.value.entries.map { item in
                        item.value.isEmpty ? Node.Entry(key: item.key, value: Node(.mapping([]))) : item
                    }
                    return Node.Entry(key: entry.key, value: items.isEmpty ? entry.value : Node(.mapping(items)))
                })
        ).canonicalText
    }
}
