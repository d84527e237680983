internal import TminusControl
internal import TminusCore
internal import TminusDefinitions
internal import TminusWatch

extension LoadStatus {
    /// What is in force: the answer to `reload` and `wait`. A later load may wait for the store.
    func live(isWaiting: Bool) -> LiveAnswer {
        LiveAnswer(
            generation: generation, hash: hash, definitions: definitions, isInOrder: isLastSuccessful && !isWaiting,
            isWaiting: isWaiting)
    }

    /// The rows of all files, sorted by path: those of the last load, and those that only the watching knows. Of ignored files it has
    /// about the first hundred.
    func rows(_ watch: WatchStatus) -> [StatusAnswer.File] {
        let pending = Set(watch.pending)
        var rows = files.map { file in
            StatusAnswer.File(file, since: since[file.path], isPending: pending.contains(file.path))
        }
        rows += pending.subtracting(files.map(\.path)).map { StatusAnswer.File($0, "pending") }
        rows += watch.ignored.entries.map { StatusAnswer.File($0.path, "ignored", $0.reason) }
        return rows.sorted { $0.path < $1.path }
    }
}

extension StatusAnswer.File {
    /// The row of a file that was loaded. A pending file has a change that is not stable yet; its last content stays in force.
    fileprivate init(_ report: FileReport, since: Timestamp?, isPending: Bool) {
        let errors = report.diagnostics.filter { $0.severity == .error }
        self.init(
            path: report.path, state: isPending ? "pending" : report.state.rawValue,
            since: isPending ? nil : since?.rfc3339, message: errors.first?.message, errors: errors.count,
            place: errors.first.flatMap { Place($0.location) },
            definitions: report.definitionCount,
            diagnostics: report.diagnostics.prefix(Self.shownProblems).map { Diagnostic($0) })
    }

    /// The row of a file that was not loaded.
    fileprivate init(_ path: String, _ state: String, _ reason: IgnoredEntry.Reason? = nil) {
        self.init(
            path: path, state: state, since: nil, reason: reason?.rawValue, message: reason?.text, errors: 0,
            place: nil, definitions: 0)
    }
}

extension StatusAnswer.File.Place {
    /// The place of a diagnostic; nil if it concerns the whole file.
    fileprivate init?(_ location: SourceLocation) {
        guard location.line > 0 else { return nil }
        self.init(line: location.line, column: max(1, location.column))
    }
}

extension StatusAnswer.File.Diagnostic {
    fileprivate init(_ diagnostic: TminusCore.Diagnostic) {
        let place = StatusAnswer.File.Place(diagnostic.location)
        self.init(
            severity: diagnostic.severity.rawValue, line: place?.line, column: place?.column,
            message: diagnostic.message)
    }
}

extension LoadStatus {
    /// The problems of the directory and its files, one line each.
    var problemLines: [String] {
        problems.map(\.message) + files.compactMap { StatusAnswer.File($0, since: nil, isPending: false).problem }
    }
}

extension StatusAnswer.Watching {
    /// The answer for a mode of watching.
    init(_ mode: WatchStatus.Mode) {
        switch mode {
        case .off: self.init(Mode.off)
        case .events: self.init(Mode.events)
        case .polling(let reason): self.init(Mode.polling, message: reason)
        }
    }
}
