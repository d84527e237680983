package import TminusCore

/// A definition file that a user submits instead of storing it in the directory.
package enum AdHocDocument {
    /// The id of its one definition.
    ///
    /// - Throws: ``DefinitionRefusal/invalid(_:)`` if it is not JSON or holds anything but one definition.
    package static func id(of bytes: [UInt8]) throws(DefinitionRefusal) -> DefinitionID {
        let read = DocumentReader.read(bytes, path: "definition.json")
        guard let root = read.root, !read.diagnostics.hasErrors, case .mapping(let sections) = root.content else {
            let problems = read.diagnostics.diagnostics
            throw .invalid(problems.isEmpty ? [problem("the definition must be a JSON object")] : problems)
        }
        let known = Set(DefinitionKind.allCases.map(\.section))
        if let other = sections.first(where: { !known.contains($0.key) }) {
            throw .invalid([
                read.diagnostics.diagnostic(
                    .error, "a definition without a file has no '\(other.key)', only one of \(known.sorted())",
                    at: other.keyRange)
            ])
        }
        let entries = sections.flatMap { section -> [Node.Entry] in
            if case .mapping(let entries) = section.value.content { entries } else { [] }
        }
        guard entries.count == 1, let entry = entries.first else {
            throw .invalid([problem("there must be one definition, not \(entries.count)")])
        }
        guard let id = DefinitionID(entry.key) else {
            throw .invalid([
                read.diagnostics.diagnostic(
                    .error, FileDecoder.invalidID(entry.key, of: "a definition"), at: entry.keyRange)
            ])
        }
        return id
    }

    private static func problem(_ message: String) -> Diagnostic {
        Diagnostic(.error, message, at: SourceLocation(file: "definition.json"))
    }

    /// The definition as a file. Its path starts with NUL, so it cannot collide with a file of the directory.
    static func file(_ definition: AdHocDefinition) -> SourceFile {
        SourceFile(path: "\0\(definition.id)", content: .bytes(definition.document))
    }
}

extension SourceFile {
    /// Whether the file is an ad-hoc definition.
    var isAdHoc: Bool { path.utf8.first == 0 }

    /// The name shown for an ad-hoc definition; nil for other files.
    var adHocDisplay: String? { isAdHoc ? DefinitionID(String(path.dropFirst())).map(SourceLocation.adHoc) : nil }
}
