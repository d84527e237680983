package import TminusCore

/// Writes a whole definition file in YAML.
package enum DefinitionText {
    /// The text of a document in block style, with a blank line between definitions.
    ///
    /// The text is read again; returns nil if it would not mean the same.
    package static func yaml(_ document: Node) -> String? {
        let writer = BlockText()
        var lines: [String] = []
        for section in document.entries {
            if !lines.isEmpty { lines.append("") }
            guard DefinitionEdit.sections.contains(section.key), !section.value.entries.isEmpty else {
                lines += writer.lines(section.key, section.value, indentation: 0)
                continue
            }
            lines.append("\(section.key):")
            for (index, definition) in section.value.entries.enumerated() {
                if index > 0 { lines.append("") }
                lines += writer.lines(definition.key, definition.value, indentation: 2, isDefinition: true)
            }
        }
        let text = lines.map { $0 + "\n" }.joined()
        let read = DocumentReader.read(Array(text.utf8), path: "new.yaml")
        guard !read.diagnostics.hasErrors, read.root?.canonicalText == document.canonicalText else { return nil }
        return text
    }
}
