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
    /// The text to edit.
    package var bytes: [UInt8] { replacement.bytes }

    private let path: String
    private let files: ConfigFiles
    private let replacement: FileReplacement

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
        name = path.split(separator: "/").last.map(String.init) ?? path
        replacement = try files.replacement(path)
    }

    /// The problems of a text, and the changes that it would make.
    package func check(_ new: [UInt8]) -> (errors: [Diagnostic], warnings: [Diagnostic], summary: Summary) {
        // The daemon would not read it.
        guard new.count <= ConfigFiles.sizeLimit else {
            let message = "is too large (\(new.count) bytes, at most \(ConfigFiles.sizeLimit)): split it"
            let error = Diagnostic(.error, message, at: SourceLocation(file: file))
            return ([error], [], Summary(added: [], changed: [], removed: []))
        }
        let trial = files.trial(path, replacement.bytes, new)
        let changes = trial.changes
        return (
            trial.errors, trial.warnings,
            Summary(added: changes.added, changed: changes.changed, removed: changes.removed)
        )
    }

    /// Replaces the file with the given text.
    package func commit(_ new: [UInt8]) throws(EditRefusal) {
        do throws(SystemError) {
            try replacement.replace(with: new)
        } catch {
            throw EditRefusal(error)
        }
    }
}
