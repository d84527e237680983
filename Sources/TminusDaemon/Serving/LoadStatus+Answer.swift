internal import TminusControl
internal import TminusCore
internal import TminusDefinitions
internal import TminusWatch

extension LoadStatus {
    /// What is in force: the answer to `reload` and `wait`.
    var live: LiveAnswer {
        LiveAnswer(generation: generation, hash: hash, definitions: definitions, isInOrder: isLastSuccessful)
    }

    /// The rows of all files, sorted by path: those of the last load, and those that only the watching knows. Of ignored files it has
    /// about the first hundred.
    func rows(_ watch: WatchStatus) -> [StatusAnswer.File] {
        let pending = Set(watch.pending)
        var rows = files.map { file in
            StatusAnswer.File(file, since: since[file.path], isPending: pending.contains(file.path))
        }
        rows += pending.subtracting(files.map(\.path)).map { StatusAnswer.File($0, "pending") }
        rows += watch.ignored.entries.map { StatusAnswer.File($0.path, "ignored", reason: $0.reason.text) }
        return rows.sorted { $0.path < $1.path }
    }
}

extension StatusAnswer.File {
    /// The row of a file that was loaded. A pending file has a change that is not stable yet; its last content stays in force.
    fileprivate init(_ report: FileReport, since: Timestamp?, isPending: Bool) {
        let errors = report.diagnostics.filter { $0.severity == .error }
        self.init(
            path: report.path, state: isPending ? "pending" : report.state.rawValue,
            since: isPending ? nil : since?.rfc3339, reason: errors.first?.message, errors: errors.count,
            place: errors.first.map { "\($0.location.line):\($0.location.column)" },
            definitions: report.definitionCount,
            diagnostics: report.diagnostics.prefix(Self.shownProblems).map { Diagnostic($0) })
    }

    /// The row of a file that was not loaded.
    fileprivate init(_ path: String, _ state: String, reason: String? = nil) {
        self.init(path: path, state: state, since: nil, reason: reason, errors: 0, place: nil, definitions: 0)
    }
}

extension StatusAnswer.File.Diagnostic {
    fileprivate init(_ diagnostic: TminusCore.Diagnostic) {
        self.init(
            severity: diagnostic.severity.rawValue, line: diagnostic.location.line, column: diagnostic.location.column,
            message: diagnostic.message)
    }
}

extension LoadStatus {
    /// The problems of the directory and its files, one line each.
    var problemLines: [String] {
        problems.map(\.message) + files.compactMap { StatusAnswer.File($0, since: nil, isPending: false).problem }
    }
}

extension WatchStatus.Mode {
    /// The mode in words, with the reason for polling.
    var words: String {
        switch self {
        case .off: "off"
        case .events: "events"
        case .polling(nil): "polling"
        case .polling(let reason?): "polling: \(reason)"
        }
    }
}
