package import TminusCore

/// What a directory's content comes to.
package struct LoadResult: Sendable {
    /// What is in force.
    package var set: DefinitionSet
    /// One report for each file, in the order of their paths.
    package var files: [FileReport]
    /// What is wrong with the directory and its files, by file, line and column.
    package var diagnostics: [Diagnostic]
    /// Identifies the content in force: see ``ContentHash``.
    package var hash: String
    /// The definitions that are others than in the result before, or gone; nil: they are to be found by a comparison.
    package var changed: Set<DefinitionID>?
    /// Whether the set is another than in the result before; known where ``changed`` is nil.
    package var isOther = false
    /// The files whose content is good and another than what was kept of them before.
    package var kept: [KeptFile] = []
    /// The paths of files that are gone and of which something was kept.
    package var forgotten: [String] = []

    /// Whether nothing is wrong but for warnings.
    package var isClean: Bool { !diagnostics.contains { $0.severity == .error } }
}

/// What became of one file.
package struct FileReport: Sendable, Equatable {
    /// Which content of the file is in force.
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// All of it.
        case ok
        /// All but definitions or sinks that another file held first.
        case partial
        /// None of its definitions: another file held each of them first.
        case duplicate
        /// It has errors; the last content without is.
        case stale
        /// It has errors and never had content without; nothing is.
        case failed
        /// It cannot be read; the last content without errors is, if it had any.
        case unreadable
    }

    /// The path below the root.
    package var path: String
    /// The path as diagnostics show it.
    package var display: String
    /// Which content is in force.
    package var state: State
    /// How many definitions of the file are in force.
    package var definitionCount: Int
    /// The digest of the content that is in force, as ``SourceFile/digest``; nil if the file never had any without errors.
    package var digest: String?
    /// What is wrong with the file.
    package var diagnostics: [Diagnostic]
}
