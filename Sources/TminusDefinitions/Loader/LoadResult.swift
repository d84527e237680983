package import TminusCore

/// The result of loading a directory.
package struct LoadResult: Sendable {
    /// The definitions in force.
    package var set: DefinitionSet
    /// One report per file, sorted by path.
    package var files: [FileReport]
    /// The problems of the directory and its files, sorted by file, line and column.
    package var diagnostics: [Diagnostic]
    /// Identifies the content in force; see ``ContentHash``.
    package var hash: String
    /// The definitions that changed since the previous result, including removed ones; nil means that the caller must
    /// compare.
    package var changed: Set<DefinitionID>?
    /// Whether the set differs from the previous result; valid only if ``changed`` is nil.
    package var isOther = false
    /// Files with good content that differs from what was kept before.
    package var kept: [KeptFile] = []
    /// The paths of files that are gone and whose content was kept.
    package var forgotten: [String] = []
    /// Warnings of files of this machine that are not what a fleet has in force; part of ``diagnostics``.
    package var fleetWarnings: [Diagnostic] = []
    /// Whether this machine has the files in force; false while some are behind.
    package var isWhole = true
    /// The paths of files that this machine has as they are in force, and did not have before; empty once it has had all.
    package var arrived: [String] = []
    /// What the sinks of the files need outside of them; only files with such needs.
    package var needs: [FileNeeds] = []

    /// Whether there are no errors; warnings do not count.
    package var isClean: Bool { !diagnostics.contains { $0.severity == .error } }
}

/// The result of loading one file.
package struct FileReport: Sendable, Equatable {
    /// Which content of the file is in force.
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The whole current content.
        case ok
        /// The current content, except for definitions or sinks that another file owns.
        case partial
        /// None of its definitions, since other files own them all.
        case duplicate
        /// The last good content; the current one has errors.
        case stale
        /// None; the file has errors and never had good content.
        case failed
        /// The last good content, if any; the file cannot be read.
        case unreadable
    }

    /// The path below the root.
    package var path: String
    /// The path as diagnostics show it.
    package var display: String
    /// Which content is in force.
    package var state: State
    /// The number of definitions of the file that are in force.
    package var definitionCount: Int
    /// The digest of the content in force, as ``SourceFile/digest``; nil if the file never had good content.
    package var digest: String?
    /// The problems of the file.
    package var diagnostics: [Diagnostic]
}
