package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// An edit of a file by its user: the new text replaces the file if it is valid and no other program has changed the
/// file.
package struct EditSession: Sendable {
    /// The ids that an edit adds, changes and removes.
    package struct Summary: Sendable, Hashable {
        /// New definitions.
        package var added: [String]
        /// Definitions with another meaning.
        package var changed: [String]
        /// Removed definitions.
        package var removed: [String]
    }

    /// The file, as users see it.
    package let file: String
    /// Its name without the directory.
    package let name: String
    /// The line to start at, counted from 1.
    package let line: Int
    /// The text to edit; empty for a new file.
    package var bytes: [UInt8] { replacement?.bytes ?? [] }

    private let path: String
    private let files: ConfigFiles
    /// Nil for a new file.
    private let replacement: FileReplacement?

    /// An edit of a definition, of a file, or of a definition in a given file.
    package init(_ files: ConfigFiles, id: String?, file: String?) throws(EditRefusal) {
        if let id {
            let place = try files.place(of: id, in: file)
            (path, line) = (place.path, place.line)
        } else {
            (path, line) = (try files.existing(file ?? ""), 1)
        }
        self.files = files
        self.file = files.shown(path)
        name = ConfigFiles.split(path).name
        replacement = try files.replacement(path)
    }

    /// An edit that makes a new file, to which ``ConfigFiles/objection(toNew:)`` has none.
    package init(_ files: ConfigFiles, new path: String) {
        self.files = files
        self.path = path
        file = files.shown(path)
        name = ConfigFiles.split(path).name
        line = 1
        replacement = nil
    }

    /// The problems of a text, and the changes that it would make.
    package func check(_ new: [UInt8]) -> Check {
        // The daemon would not read it.
        guard new.count <= files.sizeLimit else {
            let message = "is too large (\(new.count) bytes, at most \(files.sizeLimit)): split it"
            return Check(tooLarge: Diagnostic(.error, message, at: SourceLocation(file: file)))
        }
        return Check(files.trial(path, replacement?.bytes, new), now: files.now)
    }

    /// Replaces the file with the given text, or makes it.
    package func commit(_ new: [UInt8]) throws(EditRefusal) {
        try files.write(new, to: path, over: replacement)
    }
}

extension EditSession {
    /// The problems of a text, and the changes that it would make.
    package struct Check: Sendable {
        /// The errors that the file would have, and new errors of other files.
        package let errors: [Diagnostic]
        /// The new warnings.
        package let warnings: [Diagnostic]
        /// The definitions that it would add, change and remove.
        package let summary: Summary
        /// All problems that the file would have, and new ones of other files.
        package let problems: [Diagnostic]
        /// Nil if the text is too large.
        private let trial: EditTrial?
        private let now: Timestamp

        fileprivate init(_ trial: EditTrial, now: Timestamp) {
            let changes = trial.changes
            (errors, warnings, problems) = (trial.errors, trial.warnings, trial.problems)
            summary = Summary(added: changes.added, changed: changes.changed, removed: changes.removed)
            (self.trial, self.now) = (trial, now)
        }

        fileprivate init(tooLarge error: Diagnostic) {
            (errors, warnings, problems) = ([error], [], [error])
            summary = Summary(added: [], changed: [], removed: [])
            (trial, now) = (nil, .distantPast)
        }

        /// What the text would change among the coming firings; nil if it is too large.
        ///
        /// - Parameter states: The progress of the definitions that would change; one without counts as new.
        package func comparison(states: [ScheduleState], scope: DiffResult.Scope) -> DiffResult? {
            trial.map { DiffResult(diagnostics: problems, comparison: $0.comparison(states, now, scope), now: now) }
        }
    }
}
