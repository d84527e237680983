internal import TminusCore
internal import TminusDefinitions

/// Tries a change of a file: decodes the whole directory with the old and with the new content.
struct EditTrial: Sendable {
    private let before: LoadResult
    private let after: LoadResult
    /// The file, as users see it.
    private let file: String
    /// What of the directory could not be read. It is told with errors, which may follow from it.
    private let gaps: [Diagnostic]

    init(before: LoadResult, after: LoadResult, file: String, gaps: [Diagnostic]) {
        (self.before, self.after, self.file, self.gaps) = (before, after, file, gaps)
    }

    /// The errors that the file would have, and new errors of other files.
    var errors: [Diagnostic] {
        let new = newProblems.filter { $0.severity == .error }
        return new.isEmpty ? [] : new + gaps
    }

    /// The new warnings.
    var warnings: [Diagnostic] {
        let former = Set(before.diagnostics.map(Identity.init))
        return after.diagnostics.filter { $0.severity == .warning && !former.contains(Identity($0)) }
    }

    /// All problems that the file would have, and new ones of other files.
    var problems: [Diagnostic] { errors.isEmpty ? newProblems : newProblems + gaps }

    private var newProblems: [Diagnostic] {
        let former = Set(before.diagnostics.map(Identity.init))
        return after.diagnostics.filter { $0.location.file == file || !former.contains(Identity($0)) }
    }

    /// What would change among the coming firings.
    func comparison(_ states: [ScheduleState], _ now: Timestamp, _ scope: DiffResult.Scope) -> SetComparison {
        SetComparison(
            from: before.set, to: after.set, states: states, now: now, limit: scope.limit,
            horizon: scope.horizon.map(now.advanced(by:)))
    }

    /// Whether the file had an error before the change, so that none of its definitions was in force.
    var wasBroken: Bool { before.diagnostics.contains { $0.severity == .error && $0.location.file == file } }

    /// The definition with that id, as it would be.
    func definition(_ id: String) -> Definition? { DefinitionID(id).flatMap { after.set.definitions[$0] } }

    /// The definitions that would be added, changed and removed.
    var changes: (added: [String], changed: [String], removed: [String]) {
        let (old, new) = (Self.meanings(before), Self.meanings(after))
        return (
            new.keys.filter { old[$0] == nil }.map(\.rawValue).sorted(),
            new.keys.filter { old[$0] != nil && old[$0] != new[$0] }.map(\.rawValue).sorted(),
            old.keys.filter { new[$0] == nil }.map(\.rawValue).sorted()
        )
    }

    /// Refuses a change that adds more than one definition or leaves the file with an error.
    func check(onlyAdding id: String) throws(EditRefusal) {
        if wasBroken {
            throw EditRefusal(
                .badData, "\(file): has an error, so nothing in it is in force; mend it first with 'tminus edit'",
                before.diagnostics.filter { $0.severity == .error && $0.location.file == file })
        }
        guard errors.isEmpty else { throw EditRefusal(.badData, "nothing was written", errors) }
        guard changes == ([id], [], []) else { throw Self.others(than: id) }
    }

    /// Refuses a change that removes more than one definition or adds errors. A broken file may stay broken.
    func check(onlyRemoving id: String) throws(EditRefusal) {
        let former = Set(before.diagnostics.map(Identity.init))
        let new = after.diagnostics.filter { $0.severity == .error && !former.contains(Identity($0)) }
        guard new.isEmpty else { throw EditRefusal(.badData, "nothing was removed", new + gaps) }
        let changes = changes
        // Another file may define the same id, and its definition then comes into force.
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

    /// Identifies a diagnostic even if its line has moved.
    private struct Identity: Hashable {
        var file: String
        var message: String

        init(_ diagnostic: Diagnostic) { (file, message) = (diagnostic.location.file, diagnostic.message) }
    }
}
