import TminusCore

/// What the loader remembers of a file.
struct FileState {
    /// The path as diagnostics show it.
    var display = ""
    /// Of the bytes that were decoded last, with or without success.
    var digest: String?
    /// What the root file gave when they were decoded.
    var shared: Shared?
    /// The last content without errors: what is in force.
    var content: FileContent?
    /// The `defaults` of that content.
    var defaults = Defaults()
    /// Whether the bytes that were decoded last are that content.
    var isCurrent = false
    /// What decoding reported.
    var diagnostics: [Diagnostic] = []
    /// What is wrong before a look into the file; it is not decoded then.
    var outer: [Diagnostic] = []

    /// What to tell of the file.
    func reportState(of file: SourceFile, hasConflicts: Bool) -> FileReport.State {
        if case .unreadable = file.content { return .unreadable }
        if !outer.isEmpty || !isCurrent { return content == nil ? .failed : .stale }
        return hasConflicts ? .partial : .ok
    }
}

/// Which file holds an id.
struct Owners {
    /// The file of each definition.
    var definitions: [DefinitionID: String] = [:]
    /// The file of each sink.
    var sinks: [String: String] = [:]
}
