internal import TminusCore
internal import TminusDefinitions

/// What a loader keeps from one state of the directory to the next.
struct LoaderRun: Sendable {
    /// What is new with a state of the directory.
    struct Change: Sendable {
        /// Definitions for the scheduler, if they are others than before.
        var set: DefinitionSet?
        /// Which of them are others, if that is known.
        var changed: Set<DefinitionID>?
        /// Problems that were not there before.
        var news: [Diagnostic]
        /// How many errors there are, old and new.
        var errors: Int
        /// Whether there were errors and there are none now.
        var isInOrderAgain: Bool
        /// Whether the directory could not be read now and never before.
        var isWaiting: Bool
        /// Whether other content is in force than before, be it only in comments.
        var isNewGeneration = false
        /// Whether time zones are others than before.
        var hasOtherZones = false
    }

    var loader: DefinitionLoader
    /// Whether the definitions without a file have been read from the store.
    var knowsAdHoc = false
    /// What is live and how it came about.
    private(set) var status = LoadStatus()
    /// The directory; empty before its first state.
    var root: String { contents?.root ?? "" }
    /// Whether there was a state of the directory.
    var hasBegun: Bool { contents != nil }
    /// The last state of the directory. Its bytes are those that the watcher holds.
    private var contents: DirectoryContents?
    /// What the store does not have yet.
    private(set) var unwritten = KeepChange()
    private var refusal: StoreError?
    private var diagnostics: [Diagnostic] = []
    /// The sinks of the last definitions; nil before the first. The definitions themselves are with the loader only, which changes
    /// them in place: with a second reference to them every edit would copy them all.
    private var sinks: [SinkKey: SinkSpec]?
    private var isWaiting = false

    /// A run that has seen nothing yet.
    init(loader: DefinitionLoader) {
        self.loader = loader
    }

    /// Takes the last state of the directory once more if time zones are others than then; else nil.
    mutating func loadAgain(now: Timestamp) -> Change? {
        guard let contents, loader.hasOtherZones else { return nil }
        return load(contents, now: now)
    }

    /// Takes a state of the directory.
    mutating func load(_ contents: DirectoryContents, now: Timestamp) -> Change {
        let hasOtherZones = hasBegun && loader.hasOtherZones
        self.contents = contents
        // With no instant to compare with, nothing is warned of as past: only the scheduler knows what has fired.
        let result = loader.load(contents, now: .distantPast)
        unwritten.add(result)
        let known = Set(diagnostics)
        let errors = result.diagnostics.filter { $0.severity == .error }.count
        var change = Change(
            news: result.diagnostics.filter { !known.contains($0) }, errors: errors,
            isInOrderAgain: errors == 0 && diagnostics.contains { $0.severity == .error }, isWaiting: false,
            hasOtherZones: hasOtherZones)
        diagnostics = result.diagnostics
        // Before the first definitions a directory that cannot be read says nothing, least of all that everything was
        // removed from it: an empty set would end all that is stored.
        if sinks == nil, result.files.isEmpty, contents.problems.contains(where: { $0.severity == .error }) {
            change.isWaiting = !isWaiting
            isWaiting = true
            status.fail(problems: contents.problems, at: now)
            return change
        }
        if let changed = result.changed, let sinks {
            if !changed.isEmpty || result.set.sinks != sinks {
                (change.set, change.changed) = (result.set, changed)
            }
        } else if result.isOther || sinks == nil {
            change.set = result.set
        }
        sinks = result.set.sinks
        change.isNewGeneration = status.take(
            result, isOtherSet: change.set != nil, parsedFiles: loader.parsedFiles, zoneVersion: loader.zoneVersion,
            problems: contents.problems + result.diagnostics.filter { $0.severity == .error && $0.location.isAdHoc },
            at: now)
        return change
    }

    /// Takes the last state of the directory once more, with other definitions without a file.
    mutating func load(adHoc: [DefinitionID: AdHocDefinition], now: Timestamp) -> Change? {
        loader.adHoc = adHoc
        guard let contents else { return nil }
        return load(contents, now: now)
    }

    /// What a person's document comes to: the definition to keep, or why it cannot be taken.
    func definition(
        _ document: [UInt8], by person: String, now: Timestamp
    ) throws(DefinitionRefusal) -> AdHocDefinition {
        let id = try AdHocDocument.id(of: document)
        guard let contents, knowsAdHoc else { throw .unwritten(reason: "the definitions have not been read yet") }
        if let holder = loader.inForce.definitions[id], !holder.isAdHoc { throw .taken(id, file: holder.origin.file) }
        let definition = AdHocDefinition(id: id, document: document, by: person, created: now)
        // On a copy: what is in force stays as it is.
        var trial = loader
        trial.adHoc[id] = definition
        let result = trial.load(contents, now: .distantPast)
        let problems = result.diagnostics.filter { $0.location.file == SourceLocation.adHoc(id) }
        guard !problems.contains(where: { $0.severity == .error }), result.set.definitions[id]?.isAdHoc == true else {
            throw .invalid(problems)
        }
        // Last: whoever makes room for it knows that it can be taken.
        if loader.adHoc[id] != nil { throw .taken(id, file: nil) }
        return definition
    }

    /// Why a definition cannot be removed; nil if it can.
    func refusal(toRemove id: DefinitionID) -> DefinitionRefusal? {
        if loader.adHoc[id] != nil { return nil }
        if let holder = loader.inForce.definitions[id] { return .inFile(holder.origin.file) }
        let near = Suggestion.near(to: id.rawValue, in: loader.adHoc.keys.lazy.map(\.rawValue), limit: 3)
        return .unknown(near: near.compactMap { DefinitionID($0) })
    }

    /// Takes note that the store has what was unwritten; true if it refused before.
    mutating func written() -> Bool {
        unwritten = KeepChange()
        defer { refusal = nil }
        return refusal != nil
    }

    /// Takes note that the store refused; true if it says another thing than before.
    mutating func refused(_ error: StoreError) -> Bool {
        defer { refusal = error }
        return refusal != error
    }
}

/// What is to be kept of files and what is to be forgotten, over several states of the directory.
struct KeepChange: Sendable {
    /// By path.
    private(set) var changed: [String: KeptFile] = [:]
    /// Paths.
    private(set) var forgotten: Set<String> = []

    /// Whether there is nothing to write.
    var isEmpty: Bool { changed.isEmpty && forgotten.isEmpty }

    /// Adds what a later state says.
    mutating func add(_ result: LoadResult) {
        for path in result.forgotten {
            changed[path] = nil
            forgotten.insert(path)
        }
        for file in result.kept {
            changed[file.path] = file
            forgotten.remove(file.path)
        }
    }
}
