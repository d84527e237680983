internal import TminusCore
internal import TminusDefinitions

/// The state of the loader between two states of the directory.
struct LoaderState: Sendable {
    /// The changes that come with a state of the directory.
    struct Change: Sendable {
        /// Definitions for the scheduler, if they have changed.
        var set: DefinitionSet?
        /// The changed ones, if known.
        var changed: Set<DefinitionID>?
        /// New problems.
        var news: [Diagnostic]
        /// Whether the last error has been corrected.
        var isInOrderAgain: Bool
        /// Whether the directory cannot be read and was never read before.
        var isWaiting: Bool
        /// Whether time zones have changed.
        var hasOtherZones = false
    }

    var loader: DefinitionLoader
    /// Whether the definitions without a file have been read from the store.
    var knowsAdHoc = false
    /// How the last load went.
    private(set) var status = LoadStatus()
    /// The last generation whose definitions were sent to the engine.
    private var sent = 0
    /// The newest generation that the engine has put in force.
    private var taken = 0
    /// The last generation that was reported as in force.
    private var reported = 0
    /// What the sinks in force need outside the files.
    private var needs = NeedReview()
    /// The directory; empty before its first state.
    var root: String { contents?.root ?? "" }
    /// Whether there was a state of the directory.
    var hasBegun: Bool { contents != nil }
    /// The last state of the directory. It shares its bytes with the watcher.
    private var contents: DirectoryContents?
    /// Changes that are not in the store yet.
    private(set) var unwritten = KeepChange()
    private var refusal: StoreError?
    /// A change that is not in force, because it could not be published.
    private var held: Change?
    private var diagnostics: [Diagnostic] = []
    /// The sinks of the last definitions; nil before the first. The definitions are not kept here: the loader changes them in place,
    /// and a second reference would make every edit copy them all.
    private var sinks: [SinkKey: SinkSpec]?
    private var isWaiting = false

    /// The state before the first state of the directory.
    init(loader: DefinitionLoader) {
        self.loader = loader
    }

    /// Loads the last state of the directory again if time zones have changed since; else nil.
    mutating func loadAgain(now: Timestamp) -> Change? {
        guard let contents, loader.hasOtherZones else { return nil }
        return load(contents, now: now)
    }

    /// Loads a state of the directory.
    mutating func load(_ contents: DirectoryContents, now: Timestamp) -> Change {
        let hasOtherZones = hasBegun && loader.hasOtherZones
        self.contents = contents
        // Without a current instant there are no warnings about past dates: only the scheduler knows what has fired.
        let result = loader.load(contents, now: .distantPast)
        needs.take(result.needs)
        let known = Set(diagnostics)
        var change = Change(
            news: result.diagnostics.filter { !known.contains($0) }, isInOrderAgain: false, isWaiting: false,
            hasOtherZones: hasOtherZones)
        let hadErrors = errors > 0
        diagnostics = result.diagnostics
        change.isInOrderAgain = hadErrors && errors == 0
        // Until the directory was read once, failing to read it does not mean that all definitions were removed: an empty set would
        // end everything that is stored.
        if sinks == nil, result.files.isEmpty, contents.problems.contains(where: { $0.severity == .error }) {
            change.isWaiting = !isWaiting
            isWaiting = true
            status.fail(problems: contents.problems, state: contents.number, at: now)
            return change
        }
        unwritten.add(result, zoneData: loader.zoneVersion)
        if let changed = result.changed, let sinks {
            if !changed.isEmpty || result.set.sinks != sinks {
                (change.set, change.changed) = (result.set, changed)
            }
        } else if result.isOther || sinks == nil {
            change.set = result.set
        }
        // Most loads change none, and there may be many.
        if result.set.sinks != sinks { status.note(result.set.sinks) }
        sinks = result.set.sinks
        status.take(
            result, state: contents.number, isOtherSet: change.set != nil, parsedFiles: loader.parsedFiles,
            zoneVersion: loader.zoneVersion,
            zoneProblem: loader.zoneProblem,
            problems: contents.problems + result.fleetWarnings
                + result.diagnostics.filter { $0.severity == .error && $0.location.isAdHoc },
            at: now)
        status.note(missing: needs.missing)
        if change.set != nil {
            change.set?.generation = status.generation
            sent = status.generation
        }
        return change
    }

    /// Keeps a change back until it can be published.
    mutating func hold(_ change: Change) { held = change }

    /// The change that was kept back; nil if there is none.
    mutating func takeHeld() -> Change? {
        defer { held = nil }
        return held
    }

    /// A change together with the one that was kept back before it.
    mutating func joined(_ change: Change) -> Change {
        guard let held = takeHeld() else { return change }
        var all = change
        if let set = held.set {
            // The later set has everything, but its changes are only the later ones.
            (all.set, all.changed) = change.set == nil ? (set, held.changed) : (change.set, nil)
        }
        all.news = held.news + change.news
        all.isInOrderAgain = held.isInOrderAgain || change.isInOrderAgain
        all.hasOtherZones = held.hasOtherZones || change.hasOtherZones
        return all
    }

    /// Notes that the engine has put the definitions of a generation in force.
    mutating func inForce(generation: Int) { taken = max(taken, generation) }

    /// Whether the content of the last load is in force.
    var isInForce: Bool { taken >= sent }

    /// Whether the content of the last load is in force, and was not when this was asked last.
    mutating func takeInForce() -> Bool {
        guard isInForce, reported < status.generation else { return false }
        reported = status.generation
        return true
    }

    /// The number of errors of the last load.
    var errors: Int { diagnostics.count { $0.severity == .error } }

    /// The things to look for because files that need them are new; empty if none are.
    var uninspected: Set<SinkNeed.Thing> { needs.open }
    /// The problems of the things that sinks need and that are not there.
    var missing: [SinkNeed.Thing: String] { needs.problems }

    /// Notes which of these things are there and which are not. Returns the new warnings.
    mutating func inspected(_ things: Set<SinkNeed.Thing>, _ problems: [SinkNeed.Thing: String]) -> [Diagnostic] {
        let news = needs.inspected(things, problems)
        status.note(missing: needs.missing)
        return news
    }

    /// Loads the last state of the directory again, with other definitions without a file.
    mutating func load(adHoc: [DefinitionID: AdHocDefinition], now: Timestamp) -> Change? {
        loader.adHoc = adHoc
        guard let contents else { return nil }
        return load(contents, now: now)
    }

    /// Decodes a user's document into a definition to keep.
    func definition(
        _ document: [UInt8], by person: String, now: Timestamp
    ) throws(DefinitionRefusal) -> AdHocDefinition {
        let id = try AdHocDocument.id(of: document)
        guard let contents, knowsAdHoc else { throw .unwritten(reason: "the definitions have not been read yet") }
        if let holder = loader.inForce.definitions[id], !holder.isAdHoc { throw .taken(id, file: holder.origin.file) }
        let definition = AdHocDefinition(id: id, document: document, by: person, created: now)
        // On a copy, so that the definitions in force stay.
        var trial = loader
        trial.adHoc[id] = definition
        let result = trial.load(contents, now: .distantPast)
        let problems = result.diagnostics.filter { $0.location.file == SourceLocation.adHoc(id) }
        guard !problems.contains(where: { $0.severity == .error }), result.set.definitions[id]?.isAdHoc == true else {
            throw .invalid(problems)
        }
        // Checked last: a client that removes the other one then knows that this one is valid.
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

    /// Notes that the changes are in the store; true if the store refused before.
    mutating func written() -> Bool {
        unwritten = KeepChange()
        defer { refusal = nil }
        return refusal != nil
    }

    /// Notes that the store refused; true if the error is a new one.
    mutating func refused(_ error: StoreError) -> Bool {
        defer { refusal = error }
        return refusal != error
    }
}

/// The changes of kept content over several states of the directory.
struct KeepChange: Sendable {
    /// The files to keep, by path.
    private(set) var changed: [String: KeptFile] = [:]
    /// The paths to forget.
    private(set) var forgotten: Set<String> = []
    /// Identifies all files in force; nil before the first load.
    private(set) var hash: String?
    /// Whether this machine has them.
    private(set) var isWhole = false
    /// The paths of files that it now has as they are in force.
    private(set) var arrived: Set<String> = []
    /// The version of the zone data by which they were read.
    private(set) var zoneData: String?

    /// Whether there is nothing to keep.
    var isEmpty: Bool { changed.isEmpty && forgotten.isEmpty }

    /// The change for a fleet; nil before the first load.
    var published: PublishedChange? {
        hash.map {
            PublishedChange(
                changed: changed.values.sorted { $0.path < $1.path }, forgotten: forgotten.sorted(), hash: $0,
                isWhole: isWhole, arrived: arrived.sorted(), zoneData: zoneData)
        }
    }

    /// Adds the changes of a later state.
    mutating func add(_ result: LoadResult, zoneData: String?) {
        (hash, isWhole, self.zoneData) = (result.hash, result.isWhole, zoneData)
        arrived.formUnion(result.arrived)
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
