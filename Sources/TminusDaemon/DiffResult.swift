public import TminusCore
internal import TminusDefinitions
internal import TminusSQLite
internal import TminusSystem
internal import TminusWatch

/// What `tminus diff` found: what an edit would change among the coming firings. Needs no running daemon and changes nothing.
public struct DiffResult: Sendable {
    /// What is looked at.
    public struct Scope: Sendable {
        /// How many firings of a definition.
        public var limit: Int
        /// How far ahead; nil: no bound.
        public var horizon: Duration?

        /// That many firings, and no later ones.
        public init(limit: Int, horizon: Duration?) {
            self.limit = limit
            self.horizon = horizon
        }
    }

    /// Every problem of the new files, in the order of their places.
    public let diagnostics: [Diagnostic]
    private let comparison: SetComparison
    private let now: Timestamp

    /// Compares what the state holds as in force, with how far it has come, with a directory: the daemon's own, or a candidate
    /// for its place.
    ///
    /// - Throws: ``DaemonError``; of the kind `noState` if there is no state.
    public static func ofState(
        _ options: DaemonOptions, candidate: String?, scope: Scope, sinks: [any Sink.Type]
    ) async throws(DaemonError) -> DiffResult {
        let now = TimerFDClock.now
        let read: (snapshot: StoreSnapshot, kept: KeptFiles)?
        do throws(StoreError) {
            read = try await Self.read(options)
        } catch {
            throw DaemonError(error)
        }
        guard let stored = read else { throw .noState(options.stateDirectory) }
        let edit = Edit(options, sinks, now)
        var new = try edit.contents(of: candidate ?? options.shownConfigDirectory)
        // As if it were in the place of the other: paths in files are relative to it.
        new.root = options.configDirectory
        let isOther = stored.kept.files.isEmpty && stored.snapshot.schedules.contains { $0.removed == nil }
        if isOther {
            throw DaemonError(
                .noState,
                "the state in \(options.stateDirectory) belongs to another directory than \(options.configDirectory);"
                    + " name the right one with --config or --state")
        }
        let old = DirectoryContents(
            root: options.configDirectory,
            files: stored.kept.files.map { SourceFile(path: $0.path, content: .bytes($0.content)) })
        return edit.result(
            old: old, shown: options.shownConfigDirectory, sinks: stored.kept.sinks, new: new,
            shown: candidate ?? options.shownConfigDirectory, states: stored.snapshot.schedules, scope: scope)
    }

    /// Compares two directories, as if the first had just come into force and were replaced by the second.
    ///
    /// - Throws: ``DaemonError`` if one of them cannot be used.
    public static func ofDirectories(
        _ old: String, _ new: String, options: DaemonOptions, scope: Scope, sinks: [any Sink.Type]
    ) throws(DaemonError) -> DiffResult {
        let edit = Edit(options, sinks, TimerFDClock.now)
        let former = try edit.contents(of: old)
        var latter = try edit.contents(of: new)
        latter.root = former.root
        return edit.result(old: former, shown: old, sinks: [], new: latter, shown: new, states: [], scope: scope)
    }

    /// Whether the new files have an error; warnings do not count.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Whether anything would change.
    public var isDifferent: Bool { !comparison.isEmpty }

    /// For people.
    public var text: String { ComparisonText.render(comparison) }

    /// For programs: one JSON object.
    public var json: String { ComparisonJSON.render(comparison, now: now) }

    private static func read(
        _ options: DaemonOptions
    ) async throws(StoreError) -> (snapshot: StoreSnapshot, kept: KeptFiles)? {
        guard let store = try SQLiteStore.reading(path: options.storePath) else { return nil }
        let stored = (
            snapshot: try await store.snapshot(), kept: try await store.keptFiles(root: options.configDirectory)
        )
        try await store.close()
        return stored
    }

    fileprivate init(diagnostics: [Diagnostic], comparison: SetComparison, now: Timestamp) {
        self.diagnostics = diagnostics
        self.comparison = comparison
        self.now = now
    }
}

/// One directory in the place of another.
private struct Edit {
    private let options: DaemonOptions
    private let sinks: SinkRegistry
    private let now: Timestamp
    private let zones = SystemZoneDatabase()

    init(_ options: DaemonOptions, _ sinks: [any Sink.Type], _ now: Timestamp) {
        self.options = options
        self.sinks = SinkRegistry(sinks)
        self.now = now
    }

    func contents(of directory: String) throws(DaemonError) -> DirectoryContents {
        guard MachinePaths.firstDirectory(of: [directory]) != nil else {
            throw DaemonError(
                .inputOutput,
                Permissions.exists(directory)
                    ? "\(directory): is not a directory" : "\(directory): there is no such directory")
        }
        return DirectoryReader(
            sizeLimit: options.maxFileSize, allowsInsecurePermissions: options.allowsInsecurePermissions
        ).read(directory: directory)
    }

    /// - Parameters:
    ///   - sinks: those that were in force with the old files.
    ///   - states: how far the old definitions have come.
    func result(
        old: DirectoryContents, shown shownOld: String, sinks former: [SinkSpec], new: DirectoryContents,
        shown shownNew: String, states: [ScheduleState], scope: DiffResult.Scope
    ) -> DiffResult {
        // What the daemon does at a start after an edit: it knows the old files, so a broken new one leaves the old in force.
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

extension DaemonError {
    fileprivate static func noState(_ directory: String) -> DaemonError {
        DaemonError(
            .noState,
            "no state in \(directory): start the daemon once, or compare two directories: tminus diff OLD NEW")
    }
}
