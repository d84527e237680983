package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// A file that a person edits: its text goes out, another comes back, and takes its place if it is in order and nobody else has
/// changed the file.
package struct EditSession: Sendable {
    /// What an edit does to the definitions, by id.
    package struct Summary: Sendable, Hashable {
        /// New ones.
        package var added: [String]
        /// Those with another meaning.
        package var changed: [String]
        /// Those that are gone.
        package var removed: [String]
    }

    /// The file, as people are shown it.
    package let file: String
    /// Its name without the directory.
    package let name: String
    /// The line to begin at, from 1.
    package let line: Int
    /// The text to edit.
    package var bytes: [UInt8] { replacement.bytes }

    private let path: String
    private let files: ConfigFiles
    private let replacement: FileReplacement

    /// An edit of the definition with that id, or of a file, or of both: the id in that file.
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

    /// What is wrong with a text, and what it does.
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

    /// Puts a text in place.
    package func commit(_ new: [UInt8]) throws(EditRefusal) {
        do throws(SystemError) {
            try replacement.replace(with: new)
        } catch {
            throw EditRefusal(error)
        }
    }
}
