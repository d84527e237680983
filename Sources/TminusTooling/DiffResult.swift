package import TminusCore
internal import TminusDefinitions
internal import TminusSQLite
internal import TminusStorage
internal import TminusSystem
internal import TminusWatch

/// The result of `tminus diff`: the changes that an edit would make to the upcoming firings. Nothing is changed.
package struct DiffResult: Sendable {
    /// The firings that are compared.
    package struct Scope: Sendable {
        /// The number of firings of a definition.
        package var limit: Int
        /// How far ahead; nil for no limit.
        package var horizon: Duration?

        /// At most `limit` firings, none beyond the horizon.
        package init(limit: Int, horizon: Duration?) {
            self.limit = limit
            self.horizon = horizon
        }
    }

    /// All problems of the new files, by place.
    package let diagnostics: [Diagnostic]
    private let comparison: SetComparison
    private let now: Timestamp

    /// Compares the definitions and progress in a daemon's state with a directory: the daemon's own, or a candidate to
    /// replace it.
    ///
    /// - Parameters:
    ///   - directory: The config directory. If it is the candidate itself and the state knows only another one, the
    ///     candidate stands in for that one.
    ///   - state: The state directory, for messages.
    ///   - store: The path of the store in it.
    /// - Throws: ``ToolError``, with the kind `noState` if there is no state.
    package static func ofState(
        _ directory: ConfigDirectory, state: String, store: String, candidate: String?, scope: Scope,
        sinks: [any Sink.Type]
    ) async throws(ToolError) -> DiffResult {
        let now = TimerFDClock.now
        let read: Stored?
        do throws(StoreError) {
            read = try await Self.read(
                store, root: directory.path, isCandidate: candidate.map(MachinePaths.absolute) == directory.path)
        } catch {
            throw ToolError(error)
        }
        guard let stored = read else { throw .noState(state) }
        let edit = Edit(directory, sinks, now)
        var new = try edit.contents(of: candidate ?? directory.shown)
        // Relative paths in the files start at the directory that is replaced.
        new.root = stored.root
        let isOther = stored.kept.files.isEmpty && stored.snapshot.schedules.contains { $0.removed == nil }
        if isOther {
            throw ToolError(
                .noState,
                "the state in \(state) belongs to another directory than \(directory.path);"
                    + " name the right one with --config or --state")
        }
        let old = DirectoryContents(
            root: stored.root,
            files: stored.kept.files.map { SourceFile(path: $0.path, content: .bytes($0.content)) })
        return edit.result(
            old: old, shown: directory.shown, sinks: stored.kept.sinks, new: new,
            shown: candidate ?? directory.shown, states: stored.snapshot.schedules, scope: scope)
    }

    /// Compares two directories, as if the second replaced the first just after the first came into force.
    ///
    /// - Parameter directory: The limits for reading files.
    /// - Throws: ``ToolError`` if one of them cannot be used.
    package static func ofDirectories(
        _ old: String, _ new: String, reading directory: ConfigDirectory, scope: Scope, sinks: [any Sink.Type]
    ) throws(ToolError) -> DiffResult {
        let edit = Edit(directory, sinks, TimerFDClock.now)
        let former = try edit.contents(of: old)
        var latter = try edit.contents(of: new)
        latter.root = former.root
        return edit.result(old: former, shown: old, sinks: [], new: latter, shown: new, states: [], scope: scope)
    }

    /// Whether the new files have an error; warnings do not count.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Whether anything would change.
    package var isDifferent: Bool { !comparison.isEmpty }

    /// The differences as text for users.
    package var text: String { ComparisonText.render(comparison) }

    /// The differences as a JSON object.
    package var json: String { ComparisonJSON.render(comparison, now: now) }

    /// What a store has of a config directory.
    private typealias Stored = (snapshot: StoreSnapshot, kept: KeptFiles, root: String)

    private static func read(
        _ store: String, root: String, isCandidate: Bool
    ) async throws(StoreError) -> Stored? {
        guard let store = try SQLiteStore.reading(path: store) else { return nil }
        let roots = isCandidate ? try await store.keptRoots() : []
        let root = roots.count == 1 ? roots[0] : root
        let stored = (try await store.snapshot(), try await store.keptFiles(root: root), root)
        try await store.close()
        return stored
    }

    init(diagnostics: [Diagnostic], comparison: SetComparison, now: Timestamp) {
        self.diagnostics = diagnostics
        self.comparison = comparison
        self.now = now
    }
}

/// The replacement of one directory by another.
private struct Edit {
    private let directory: ConfigDirectory
    private let sinks: SinkRegistry
    private let now: Timestamp
    private let zones = SystemZoneDatabase()

    init(_ directory: ConfigDirectory, _ sinks: [any Sink.Type], _ now: Timestamp) {
        self.directory = directory
        self.sinks = SinkRegistry(sinks)
        self.now = now
    }

    func contents(of path: String) throws(ToolError) -> DirectoryContents {
        guard MachinePaths.firstDirectory(of: [path]) != nil else {
            throw ToolError(
                .inputOutput,
                Permissions.exists(path) ? "\(path): is not a directory" : "\(path): there is no such directory")
        }
        return DirectoryReader(
            sizeLimit: directory.maxFileSize, allowsInsecurePermissions: directory.allowsInsecurePermissions
        ).read(directory: path)
    }

    /// - Parameters:
    ///   - former: The sinks that were in force with the old files.
    ///   - states: The progress of the old definitions.
    func result(
        old: DirectoryContents, shown shownOld: String, sinks former: [SinkSpec], new: DirectoryContents,
        shown shownNew: String, states: [ScheduleState], scope: DiffResult.Scope
    ) -> DiffResult {
        // Like the daemon at a start after an edit: it keeps the old files, so the old version of a broken file stays
        // in force.
        let kept = KeptFiles(files: old.files.compactMap(KeptFile.init), sinks: former)
        func load(_ contents: DirectoryContents, shown: String) -> LoadResult {
            var loader = DefinitionLoader(zones: zones, sinks: sinks, displayRoot: shown)
            loader.remember(kept)
            return loader.load(contents, now: now)
        }
        let before = load(old, shown: shownOld)
        let after = load(new, shown: shownNew)
        let comparison = SetComparison(
            from: before.set, to: after.set, states: states, now: now, limit: scope.limit,
            horizon: scope.horizon.map(now.advanced(by:)))
        return DiffResult(diagnostics: after.diagnostics, comparison: comparison, now: now)
    }
}

extension ToolError {
    fileprivate static func noState(_ directory: String) -> ToolError {
        ToolError(
            .noState,
            "no state in \(directory): start the daemon once, or compare two directories: tminus diff OLD NEW")
    }
}
