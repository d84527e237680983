internal import TminusCore
internal import TminusDefinitions

/// What a changed file would come to: the whole directory decoded as it was and as it would be.
struct EditTrial {
    private let before: LoadResult
    private let after: LoadResult
    /// As people are shown it.
    private let file: String

    init(before: LoadResult, after: LoadResult, file: String) {
        (self.before, self.after, self.file) = (before, after, file)
    }

    /// The errors that the file would have, and those that would be new in other files.
    var errors: [Diagnostic] {
        let former = Set(before.diagnostics.map(Identity.init))
        return after.diagnostics.filter {
            $0.severity == .error && ($0.location.file == file || !former.contains(Identity($0)))
        }
    }

    /// The warnings that would be new.
    var warnings: [Diagnostic] {
        let former = Set(before.diagnostics.map(Identity.init))
        return after.diagnostics.filter { $0.severity == .warning && !former.contains(Identity($0)) }
    }

    /// Whether the file has an error already, so that nothing in it is in force.
    var wasBroken: Bool { before.diagnostics.contains { $0.severity == .error && $0.location.file == file } }

    /// The definition with that id, as it would be.
    func definition(_ id: String) -> Definition? { DefinitionID(id).flatMap { after.set.definitions[$0] } }

    /// The definitions that would be new, have another meaning, and be gone.
    var changes: (added: [String], changed: [String], removed: [String]) {
        let (old, new) = (Self.meanings(before), Self.meanings(after))
        return (
            new.keys.filter { old[$0] == nil }.map(\.rawValue).sorted(),
            new.keys.filter { old[$0] != nil && old[$0] != new[$0] }.map(\.rawValue).sorted(),
            old.keys.filter { new[$0] == nil }.map(\.rawValue).sorted()
        )
    }

    /// Refuses a change of more than one definition, and one that leaves the file with an error.
    func check(onlyAdding id: String) throws(EditRefusal) {
        if wasBroken {
            throw EditRefusal(
                .badData, "\(file): has an error, so nothing in it is in force; mend it first with 'tminus edit'",
                before.diagnostics.filter { $0.severity == .error && $0.location.file == file })
        }
        guard errors.isEmpty else { throw EditRefusal(.badData, "nothing was written", errors) }
        guard changes == ([id], [], []) else { throw Self.others(than: id) }
    }

    /// The same for a removal. A file that is broken may stay so, but for what is removed.
    func check(onlyRemoving id: String) throws(EditRefusal) {
        let former = Set(before.diagnostics.map(Identity.init))
        let new = after.diagnostics.filter { $0.severity == .error && !former.contains(Identity($0)) }
        guard new.isEmpty else { throw EditRefusal(.badData, "nothing was removed", new) }
        let changes = changes
        // Another file may define the same id, and take over.
        guard wasBroken || changes.added.isEmpty && (changes.changed + changes.removed).allSatisfy({ $0 == id }) else {
            throw Self.others(than: id)
        }
    }

    private static func others(than id: String) -> EditRefusal {
        EditRefusal(.defect, "more than '\(id)' would change, so nothing was written; edit the file by hand")
    }

    private static func meanings(_ result: LoadResult) -> [DefinitionID: Definition] {
        result.set.definitions.mapValues { definition in
            var definition = definition
            definition.origin = SourceLocation(file: "")
            return definition
        }
    }

    /// What makes two diagnostics the same though lines have moved.
    private struct Identity: Hashable {
        var file: String
        var message: String

        init(_ diagnostic: Diagnostic) { (file, message) = (diagnostic.location.file, diagnostic.message) }
    }
}
