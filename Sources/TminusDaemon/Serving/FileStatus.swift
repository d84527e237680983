internal import TminusCore
internal import TminusDefinitions

/// What became of one file.
struct FileStatus: Sendable, Equatable {
    /// Which content of the file is in force.
    enum State: String, Sendable, Hashable, CaseIterable {
        /// All of it.
        case ok
        /// A change was seen that has not settled yet; what was in force still is.
        case pending
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
        /// Nothing: it is not read at all.
        case ignored
    }

    /// The path below the root.
    var path: String
    /// Which content is in force.
    var state: State
    /// Since when it is in that state; nil for `ok` and `pending`.
    var since: Timestamp?
    /// Why it is ignored, or the first error's message.
    var reason: String?
    /// How many errors it has.
    var errors: Int
    /// Where the first of them is.
    var firstError: SourceLocation?
    /// The digest of the content that is in force; nil if none is.
    var hash: String?
    /// How many of its definitions are in force.
    var definitions: Int

    /// The status of a file that was taken in.
    init(_ report: FileReport, since: Timestamp?, isPending: Bool) {
        let errors = report.diagnostics.filter { $0.severity == .error }
        path = report.path
        state = isPending ? .pending : State(report.state)
        self.since = isPending ? nil : since
        reason = errors.first?.message
        self.errors = errors.count
        firstError = errors.first?.location
        hash = report.digest
        definitions = report.definitionCount
    }

    /// The status of a file that was seen and not taken in yet.
    init(pending path: String) {
        self.path = path
        state = .pending
        errors = 0
        definitions = 0
    }

    /// The status of an entry that is not read.
    init(_ ignored: IgnoredEntry) {
        path = ignored.path
        state = .ignored
        reason = ignored.reason.text
        errors = 0
        definitions = 0
    }
}

extension FileStatus.State {
    /// The state of a file without changes that wait.
    init(_ state: FileReport.State) {
        self =
            switch state {
            case .ok: .ok
            case .partial: .partial
            case .duplicate: .duplicate
            case .stale: .stale
            case .failed: .failed
            case .unreadable: .unreadable
            }
    }
}
