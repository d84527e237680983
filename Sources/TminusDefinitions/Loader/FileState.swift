import TminusCore

/// What the loader remembers of a file.
struct FileState {
    /// The path as diagnostics show it.
    var display = ""
    /// Of the bytes that were decoded last, with or without success.
    var digest: String?
    /// What they were decoded against.
    var versions: Versions?
    /// The last content without errors: what is in force.
    var content: FileContent?
    /// The digest of the bytes which that content was made of.
    var contentDigest: String?
    /// These bytes.
    var contentBytes: [UInt8] = []
    /// The `defaults` of that content.
    var defaults = Defaults()
    /// Whether the bytes that were decoded last are that content.
    var isCurrent = false
    /// The sinks that the bytes decoded last declare without error; those of the last good content where they do not
    /// show any.
    var offered: [String: FileContent.DeclaredSink] = [:]
    /// The ids of sinks that those bytes declare and that could not be made.
    var broken: Set<String> = []
    /// Whether those bytes are a document, whatever is wrong in it.
    var hasDocument = false
    /// What decoding reported.
    var diagnostics: [Diagnostic] = []
    /// What is wrong before a look into the file; it is not decoded then.
    var outer: [Diagnostic] = []

    /// The sinks that are in force: those of the last good content. A file with errors adds the sound sinks that are new
    /// in it, so that an error elsewhere in it does not take them from the other files.
    var sinks: [String: FileContent.DeclaredSink] {
        guard !isCurrent, let content else { return offered }
        return content.sinks.merging(offered) { good, _ in good }
    }

    /// Whether nothing is known of the sinks that the file declares.
    var isUnread: Bool { content == nil && !hasDocument }

    /// What to tell of the file.
    func reportState(of file: SourceFile, hasConflicts: Bool, inForce: Int) -> FileReport.State {
        if case .unreadable = file.content { return .unreadable }
        if !outer.isEmpty || !isCurrent { return content == nil ? .failed : .stale }
        guard hasConflicts else { return .ok }
        return inForce == 0 && content?.items.isEmpty == false ? .duplicate : .partial
    }
}

/// Which state of what comes from other files was used: equal versions, equal answers.
struct Versions: Equatable {
    /// Of the defaults of the root file; 0 for the root file itself.
    var defaults: Int
    /// Of the names of sinks.
    var names: Int
    /// The revision of the time zones.
    var zones: Int
}

/// A value that is compared when it is set, and by its version afterwards.
struct Versioned<Value: Equatable & Sendable>: Sendable {
    /// The value.
    private(set) var value: Value
    /// Grows with each value that differs from the one before.
    private(set) var version = 1

    init(_ value: Value) { self.value = value }

    /// Sets the value.
    mutating func set(_ new: Value) {
        guard new != value else { return }
        value = new
        version += 1
    }
}
