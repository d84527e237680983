import TminusCore

/// Merges the contents of all files. Every step is linear in the number of definitions.
struct Merge: Sendable {
    /// The definitions in force.
    var set = DefinitionSet()
    /// The path of the file that owns each sink.
    private(set) var sinkOwners: [String: String] = [:]
    /// Conflicts by the path of the file that does not own the id.
    private(set) var diagnostics: [String: [Diagnostic]] = [:]
    /// The number of definitions in force per file.
    var counts: [String: Int] = [:]
    /// The definitions that the last ``take(changesFrom:to:)`` changed.
    var changed: Set<DefinitionID> = []
    /// Whether every file is current and affects nothing but its own definitions.
    private(set) var isPlain = false

    /// Whether two files define the same id.
    private var hasConflicts = false

    /// Creates an empty merge.
    init() {}

    /// Merges the contents in `states`. `files` are sorted by path.
    ///
    ///   - previous: The former merge. If two files define the same id, the former owner keeps it.
    ///   - hasFormerSinks: Whether files without errors may name sinks that only `previousSinks` contains.
    init(
        files: [SourceFile], states: [String: FileState], previous: Merge, previousSinks: [SinkKey: SinkSpec],
        hasFormerSinks: Bool
    ) {
        let present = files.compactMap { file in states[file.path].map { (file: file, state: $0) } }
        chooseOwners(present, previous: previous)
        let byPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        // For the source lines of a conflict; filled when there is one.
        var bags: [String: DiagnosticBag] = [:]
        addSinks(present, byPath, states, &bags)
        countDefinitions(present, byPath, states, &bags)
        // Without stale files and former sinks, every named sink is declared.
        let isStale = present.contains { !$0.state.isCurrent || !$0.state.outer.isEmpty }
        if hasFormerSinks || isStale { keepSinksInUse(previousSinks) }
        isPlain = !hasFormerSinks && !isStale && !hasConflicts && diagnostics.isEmpty
    }

    /// The owner of a definition is recorded in its origin.
    private mutating func chooseOwners(_ present: [(file: SourceFile, state: FileState)], previous: Merge) {
        set.definitions.reserveCapacity(present.reduce(0) { $0 + ($1.state.content?.items.count ?? 0) })
        for (file, state) in present {
            for item in state.content?.items ?? [] {
                let id = item.definition.id
                guard let first = set.definitions.updateValue(item.definition, forKey: id) else { continue }
                hasConflicts = true
                // An ad-hoc definition can only be added while no file owns the id, so it was first.
                if !file.isAdHoc, previous.set.definitions[id]?.origin.file != state.display {
                    set.definitions[id] = first
                }
            }
            for name in state.sinks.keys where sinkOwners[name] == nil || previous.sinkOwners[name] == file.path {
                sinkOwners[name] = file.path
            }
        }
    }

    private mutating func addSinks(
        _ present: [(file: SourceFile, state: FileState)], _ files: [String: SourceFile], _ states: [String: FileState],
        _ bags: inout [String: DiagnosticBag]
    ) {
        for (file, state) in present {
            for (name, sink) in state.sinks {
                guard let owner = sinkOwners[name], owner != file.path else {
                    set.sinks[sink.spec.key] = sink.spec
                    continue
                }
                report(
                    "the sink '\(name)' is declared in another file already; this one is not in force",
                    at: sink.range, of: file, other: (files[owner], states[owner]?.sinks[name]?.range), states, &bags)
            }
        }
    }

    private mutating func countDefinitions(
        _ present: [(file: SourceFile, state: FileState)], _ files: [String: SourceFile], _ states: [String: FileState],
        _ bags: inout [String: DiagnosticBag]
    ) {
        var paths: [String: String] = [:]
        var places: [String: [DefinitionID: SourceRange]] = [:]
        if hasConflicts { for (file, state) in present { paths[state.display] = file.path } }
        for (file, state) in present {
            guard let content = state.content else { continue }
            set.sinks.merge(content.undeclared) { first, _ in first }
            counts[file.path] = content.items.count
            guard hasConflicts else { continue }
            for item in content.items {
                let id = item.definition.id
                guard let holder = set.definitions[id]?.origin.file, holder != state.display, let owner = paths[holder]
                else { continue }
                counts[file.path]? -= 1
                if places[owner] == nil {
                    let items = states[owner]?.content?.items ?? []
                    places[owner] = Dictionary(
                        items.map { ($0.definition.id, $0.range) }, uniquingKeysWith: { first, _ in first })
                }
                let holding = files[owner]
                let message =
                    holding?.isAdHoc == true
                    ? "the id '\(id)' is in use by a countdown without a file; this definition comes into force when that is "
                        + "gone: 'tminus remove \(id)', or choose another id"
                    : "the id '\(id)' is defined in another file already; this definition is not in force"
                report(
                    message, at: item.range, of: file,
                    other: holding?.isAdHoc == true ? (nil, nil) : (holding, places[owner]?[id]), states, &bags)
            }
        }
    }

    /// A file with errors may name a sink that is no longer declared; such a sink stays as it was.
    private mutating func keepSinksInUse(_ previous: [SinkKey: SinkSpec]) {
        for definition in set.definitions.values {
            for key in definition.onExpiry + definition.onElapsed + definition.onFailure
                + definition.reminders.flatMap(\.actions)
            where set.sinks[key] == nil {
                set.sinks[key] = previous[key]
            }
        }
    }

    private mutating func report(
        _ message: String, at range: SourceRange, of file: SourceFile, other: (file: SourceFile?, range: SourceRange?),
        _ states: [String: FileState], _ bags: inout [String: DiagnosticBag]
    ) {
        let path = file.path
        guard diagnostics[path, default: []].count < DiagnosticBag.limit else { return }
        let bag = bag(of: file, states, &bags)
        var note: Diagnostic?
        if let holder = other.file, let range = other.range {
            note = self.bag(of: holder, states, &bags).diagnostic(.note, "it is here", at: range)
        }
        diagnostics[path, default: []].append(
            bag.diagnostic(.error, message, at: range, notes: note.map { [$0] } ?? []))
    }

    /// The source lines of a file; none for a stale file, whose content in force is not its current text.
    private func bag(
        of file: SourceFile, _ states: [String: FileState], _ bags: inout [String: DiagnosticBag]
    ) -> DiagnosticBag {
        if let bag = bags[file.path] { return bag }
        var text = ""
        if case .bytes(let bytes) = file.content, states[file.path]?.isCurrent == true { text = SourceText(bytes).text }
        let bag = DiagnosticBag(file: states[file.path]?.display ?? file.path, text: text)
        bags[file.path] = bag
        return bag
    }
}
