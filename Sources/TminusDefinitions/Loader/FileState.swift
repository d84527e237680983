import TminusCore

/// The loader's state of a file.
struct FileState {
    /// The path as diagnostics show it.
    var display = ""
    /// The digest of the bytes that were decoded last, successfully or not.
    var digest: String?
    /// The versions that they were decoded with.
    var versions: Versions?
    /// The last content without errors; it is in force.
    var content: FileContent?
    /// The digest of the bytes of that content.
    var contentDigest: String?
    /// The bytes of that content.
    var contentBytes: [UInt8] = []
    /// The `defaults` of that content.
    var defaults = Defaults()
    /// Whether that content is what was decoded last.
    var isCurrent = false
    /// The valid sinks in the bytes decoded last, and the last good declarations of those that are missing or invalid
    /// there.
    var offered: [String: FileContent.DeclaredSink] = [:]
    /// The ids of the invalid sinks in those bytes.
    var broken: Set<String> = []
    /// Whether those bytes could be parsed to a document, even with errors.
    var hasDocument = false
    /// The diagnostics of decoding.
    var diagnostics: [Diagnostic] = []
    /// What the sinks of those bytes need outside the file.
    var needs: [SinkNeed] = []
    /// The ranges of those bytes that must not be shown, as far as they are in lines with such needs.
    var concealed: [SourceRange] = []
    /// Problems that do not depend on the content; the file is not decoded then.
    var outer: [Diagnostic] = []

    /// The sinks in force: those of the last good content. From a file with errors, new valid sinks are added, so that
    /// an error elsewhere in it does not affect the other files.
    var sinks: [String: FileContent.DeclaredSink] {
        guard !isCurrent, let content else { return offered }
        return content.sinks.merging(offered) { good, _ in good }
    }

    /// Whether the sinks of the file are unknown.
    var isUnread: Bool { content == nil && !hasDocument }

    /// The state of the file in a report.
    func reportState(of file: SourceFile, hasConflicts: Bool, inForce: Int) -> FileReport.State {
        if case .unreadable = file.content { return .unreadable }
        if !outer.isEmpty || !isCurrent { return content == nil ? .failed : .stale }
        guard hasConflicts else { return .ok }
        return inForce == 0 && content?.items.isEmpty == false ? .duplicate : .partial
    }
}

/// Versions of the input that comes from outside the file; equal versions give equal results.
struct Versions: Equatable {
    /// The version of the defaults of the root file; 0 for the root file itself.
    var defaults: Int
    /// The version of the names of sinks.
    var names: Int
    /// The revision of the time zones.
    var zones: Int
}

/// A value with a version, so that later comparisons are cheap.
struct Versioned<Value: Equatable & Sendable>: Sendable {
    /// The value.
    private(set) var value: Value
    /// Incremented each time the value changes.
    private(set) var version = 1

    init(_ value: Value) { self.value = value }

    /// Sets the value.
    mutating func set(_ new: Value) {
        guard new != value else { return }
        value = new
        version += 1
    }
}
