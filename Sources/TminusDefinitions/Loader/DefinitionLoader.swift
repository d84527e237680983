package import TminusCore

/// Builds the set of definitions from the content of a directory, and remembers the last good content of each file.
///
/// A file with an error keeps its last good content in force and does not affect other files. If two files define one
/// id, the first stays in force; when that file drops the id, the other takes over.
package struct DefinitionLoader: Sendable {
    /// The number of parsed files since the loader was created. Content from an earlier loader counts only if the file
    /// is unchanged.
    package internal(set) var parsedFiles = 0
    /// The version of the zone data that the last ``load(_:now:)`` used, such as `2025b`; nil if unknown.
    package private(set) var zoneVersion: String?
    /// Why the last ``load(_:now:)`` used UTC as the zone of the machine although that names another; nil if it did not.
    package private(set) var zoneProblem: String?

    /// The ad-hoc definitions. They own their ids until they are removed.
    package var adHoc: [DefinitionID: AdHocDefinition] = [:]

    /// If the files have more bytes than this in total, their documents are not kept in memory at the same time.
    var aheadLimit = 1 << 20

    private let zones: any ZoneDatabase
    private let registry: SinkRegistry
    private let displayRoot: String
    /// Whether a single file is loaded without the others of its directory.
    private let isAlone: Bool
    /// The labels of the machine. What only other machines need is left out.
    private let labels: Set<MachineLabel>
    var states: [String: FileState] = [:]
    var rootPath: String?
    /// The result of the last load.
    private var merge = Merge()
    /// The sinks of the last load.
    private var sinks: [SinkKey: SinkSpec] = [:]
    /// The former states of the files that have changed since the last merge; nil for a new file.
    private var touched: [String: FileState?] = [:]
    /// Whether something other than files has changed, so that all files must be merged again.
    var mergesAnew = false
    /// The definitions changed by the last ``load(_:now:)``; nil if unknown.
    private var changed: Set<DefinitionID>? = []
    /// Whether a merge of all files gave a different result.
    private var isOther = false
    /// The `defaults` of the root file.
    var shared = Versioned(Defaults())
    /// The sinks that files declare.
    private var names = Versioned(SinkNames())
    private var lastGood = LastGood()
    /// The files that a fleet has in force; nil if this machine is alone.
    private var fleetFiles: FleetFiles?
    /// The revision of the time zones that everything in force was decoded with; nil before the first load.
    var zonesRevision: Int?
    /// Sinks from the content of an earlier loader; set only while that content is decoded.
    private var formerSinks: Set<String> = []

    /// Creates a loader. `displayRoot` is the directory as the user wrote it, for diagnostics. With `isAlone`,
    /// diagnostics say that other files are ignored.
    package init(
        zones: any ZoneDatabase, sinks: SinkRegistry, displayRoot: String, labels: Set<MachineLabel> = [],
        isAlone: Bool = false
    ) {
        self.isAlone = isAlone
        self.labels = labels
        self.zones = zones
        registry = sinks
        self.displayRoot = displayRoot
    }

    /// Takes the content that an earlier loader kept. Call it before the first ``load(_:now:)``: a broken or unreadable
    /// file then stays in force with that content. A file that is gone is not restored.
    package mutating func remember(_ kept: KeptFiles) {
        lastGood = LastGood(kept)
    }

    /// Takes the content that the machines of a fleet have in force. Call it before the first ``load(_:now:)``: files that are behind are
    /// then replaced by it.
    package mutating func remember(_ published: PublishedFiles) {
        remember(published.kept)
        fleetFiles = FleetFiles(published)
    }

    /// Whether the time zones changed since the last ``load(_:now:)``, which can change the meaning of the same
    /// content.
    package var hasOtherZones: Bool { zonesRevision != zones.revision }

    /// The definitions in force since the last ``load(_:now:)``. If a caller keeps a copy, the next load copies the
    /// whole set.
    package var inForce: DefinitionSet { merge.set }

    /// Loads the content of the directory, and returns the definitions in force.
    package mutating func load(_ contents: DirectoryContents, now: Timestamp) -> LoadResult {
        changed = []
        isOther = false
        var contents = contents
        contents.files += lastGood.unreachable(in: contents)
        contents.files.sort { $0.path < $1.path }
        let warnings = fleetFiles?.merge(into: &contents) ?? []
        var all = contents
        all.files += adHoc.values.sorted { $0.id < $1.id }.map(AdHocDocument.file)
        // Read before decoding: a change from here on is noticed at the next load.
        let revision = zones.revision
        if revision != zonesRevision {
            zoneVersion = zones.version
            zoneProblem = zones.systemZoneProblem
            if zonesRevision != nil { renewGood(all, under: revision, now) }
            zonesRevision = revision
        }
        if let former = lastGood.takeFormer(of: contents) { takeUp(former, before: contents, now) }
        let merge = update(all, now)
        let arrived = fleetFiles?.settle { path in states[path].map { !$0.isCurrent || !$0.outer.isEmpty } ?? false }
        var result = result(contents.files, merge, problems: contents.problems + warnings)
        result.fleetWarnings = warnings
        result.isWhole = fleetFiles?.isWhole ?? true
        result.arrived = arrived ?? []
        result.changed = changed
        result.isOther = isOther
        (result.kept, result.forgotten) = lastGood.change(to: contents, states)
        return result
    }

    /// Loads the content that an earlier loader kept, as if this one had loaded it. The current content is then an edit
    /// like any other.
    private mutating func takeUp(
        _ former: (contents: DirectoryContents, sinks: [SinkSpec]), before contents: DirectoryContents, _ now: Timestamp
    ) {
        let parsed = parsedFiles
        for spec in former.sinks {
            guard let name = spec.name, registry[name] == nil, registry[spec.kind] != nil else { continue }
            sinks[spec.key] = spec
            formerSinks.insert(name)
        }
        _ = update(former.contents, now)
        formerSinks = []
        mergesAnew = true
        parsedFiles = parsed
        for file in contents.files {
            guard var state = states[file.path] else { continue }
            if state.content == nil {
                // The content is invalid for this version, names unknown sinks, or there was no memory to parse it.
                states[file.path] = nil
            } else if state.digest == file.digest {
                parsedFiles += 1
            } else {
                // The warnings refer to text that is no longer in the file.
                state.diagnostics = []
                state.needs = []
                state.digest = nil
                state.isCurrent = false
                states[file.path] = state
            }
        }
    }

    /// Decodes the last good content of broken or unreadable files again, because the time zones changed. A file whose
    /// zone no longer exists stays as it is.
    private mutating func renewGood(_ contents: DirectoryContents, under revision: Int, _ now: Timestamp) {
        zonesRevision = revision
        var good = contents
        var isAny = false
        for index in good.files.indices {
            guard let state = states[good.files[index].path], state.content != nil, let digest = state.contentDigest,
                digest != good.files[index].digest
            else { continue }
            good.files[index].content = .bytes(state.contentBytes)
            good.files[index].digest = digest
            isAny = true
        }
        if isAny { _ = update(good, now) }
    }

    private mutating func update(_ contents: DirectoryContents, _ now: Timestamp) -> Merge {
        let files = contents.files
        let present = Set(files.map(\.path))
        for path in states.keys.filter({ !present.contains($0) }) {
            touch(path)
            states[path] = nil
        }
        let rivals = chooseRoot(among: files)
        for file in files { note(file, rivals: rivals) }

        // Order matters: all sinks first, then the defaults of the root file, then the files that use both.
        let news = files.filter(hasNews)
        var opened = news.contentLength > aheadLimit ? takeAhead(news, of: contents, now) : [:]
        for file in news where hasNews(file) && opened[file.path] == nil {
            opened[file.path] = open(file, contents.root, now)
        }
        names.set(collectNames(files))
        if let rootPath, let file = files.first(where: { $0.path == rootPath }) {
            decode(file, opened.removeValue(forKey: file.path), contents.root, now, isRoot: true)
        }
        shared.set(rootPath.flatMap { states[$0]?.defaults } ?? Defaults())
        for file in files where file.path != rootPath {
            decode(file, opened.removeValue(forKey: file.path), contents.root, now, isRoot: false)
        }
        putTogether(files)
        return merge
    }

    private mutating func putTogether(_ files: [SourceFile]) {
        // Swapped to change it in place: a copy would be as large as everything in force.
        var merge = Merge()
        swap(&merge, &self.merge)
        if !mergesAnew, merge.take(changesFrom: touched, to: states) {
            changed?.formUnion(merge.changed)
        } else {
            changed = nil
            let former = merge
            merge = Merge(
                files: files, states: states, previous: former, previousSinks: sinks,
                hasFormerSinks: !formerSinks.isEmpty)
            isOther = isOther || merge.set != former.set
        }
        mergesAnew = false
        touched = [:]
        sinks = merge.set.sinks
        self.merge = merge
    }

    /// Records the former state of a file before its first change.
    private mutating func touch(_ path: String) {
        if touched.index(forKey: path) == nil { touched[path] = .some(states[path]) }
    }

    /// Chooses the root file: the current one if it still exists, else the first candidate. Returns the other
    /// candidates.
    private mutating func chooseRoot(among files: [SourceFile]) -> [String] {
        let candidates = files.map(\.path).filter { ["tminus.json", "tminus.yaml", "tminus.yml"].contains($0) }
        if rootPath.map(candidates.contains) != true { rootPath = candidates.first }
        return candidates.filter { $0 != rootPath }
    }

    /// Records problems of a file that do not depend on its content.
    private mutating func note(_ file: SourceFile, rivals: [String]) {
        let shown = states[file.path]?.display ?? file.adHocDisplay ?? display(file.path)
        let place = SourceLocation(file: shown)
        var outer: [Diagnostic] = []
        if rivals.contains(file.path), let rootPath {
            outer.append(
                Diagnostic(.error, "'\(display(rootPath))' is the root file already; remove one of the two", at: place))
        }
        if case .unreadable(let reason) = file.content {
            outer.append(
                Diagnostic(.error, reason.hasPrefix("cannot be read") ? reason : "cannot be read: \(reason)", at: place)
            )
        }
        guard states[file.path]?.outer != outer else { return }
        touch(file.path)
        states[file.path, default: FileState(display: shown)].outer = outer
    }

    /// A parsed file; its sinks are decoded, the rest is not.
    struct OpenedFile {
        var read: DocumentReader.Result
        var decoder: FileDecoder?
    }

    private func hasNews(_ file: SourceFile) -> Bool {
        guard case .bytes = file.content, let state = states[file.path], state.outer.isEmpty else { return false }
        return state.digest != file.digest
    }

    /// Parses a file and decodes its sinks.
    mutating func open(_ file: SourceFile, _ root: String, _ now: Timestamp) -> OpenedFile? {
        guard case .bytes(let bytes) = file.content, var state = states[file.path] else { return nil }
        touch(file.path)
        parsedFiles += 1
        let read = DocumentReader.read(bytes, path: state.display, isJSON: file.isAdHoc ? true : nil)
        let surroundings = FileDecoder.Surroundings(
            zones: zones, registry: registry, directory: Self.directory(of: file.path), rootDirectory: root,
            now: now)
        let decoder = read.root.map { FileDecoder($0, surroundings, diagnostics: read.diagnostics) }
        let good = state.content?.sinks ?? [:]
        state.hasDocument = decoder != nil
        // Sinks that are broken now keep their last good declaration.
        let kept = good.filter { decoder?.broken.contains($0.key) ?? true }
        state.offered = (decoder?.declared ?? [:]).merging(kept) { new, _ in new }
        state.broken = (decoder?.broken ?? []).subtracting(kept.keys)
        states[file.path] = state
        return OpenedFile(read: read, decoder: decoder)
    }

    func collectNames(_ files: [SourceFile]) -> SinkNames {
        var names = SinkNames(known: formerSinks, isAlone: isAlone)
        for file in files {
            guard let state = states[file.path] else { continue }
            names.known.formUnion(state.offered.keys)
            for name in state.broken where names.broken[name] == nil { names.broken[name] = state.display }
            if state.isUnread { names.unread.append(state.display) }
        }
        return names
    }

    /// Decodes a file, unless that was done already with the same bytes and the same dependencies.
    private mutating func decode(
        _ file: SourceFile, _ opened: OpenedFile?, _ root: String, _ now: Timestamp, isRoot: Bool
    ) {
        let versions = Versions(
            defaults: isRoot ? 0 : shared.version, names: names.version, zones: zonesRevision ?? 0)
        let isNew = opened != nil
        guard isNew || needsDecoding(file, against: versions), var opened = opened ?? open(file, root, now),
            var state = states[file.path]
        else { return }
        touch(file.path)
        let decoded = opened.decoder?.decode(shared: isRoot ? Defaults() : shared.value, names: names.value)
        settle(&state, file, opened, decoded, versions, isNew: isNew)
        states[file.path] = state
    }

    /// Stores the result of decoding.
    func settle(
        _ state: inout FileState, _ file: SourceFile, _ opened: OpenedFile,
        _ decoded: (content: FileContent, defaults: Defaults)?, _ versions: Versions, isNew: Bool
    ) {
        let diagnostics = opened.read.diagnostics
        let known = Set(diagnostics.diagnostics.prefix(opened.read.readCount).map(\.location))
        // Drop further problems at places where the reader substituted invalid text: they are follow-up errors.
        let readCount = opened.read.readCount
        state.diagnostics =
            Array(diagnostics.diagnostics.prefix(readCount))
            + diagnostics.diagnostics.dropFirst(readCount).filter { !known.contains($0.location) }
        if diagnostics.omitted > 0, let last = state.diagnostics.last {
            state.diagnostics.append(
                Diagnostic(last.severity, "and \(diagnostics.omitted) more problems", at: last.location))
        }
        state.needs = diagnostics.needs.filter { $0.labels.isSubset(of: labels) }
        let lines = Set(state.needs.map(\.range.start.line))
        state.concealed =
            lines.isEmpty
            ? [] : diagnostics.concealed.filter { !lines.isDisjoint(with: $0.start.line...$0.end.line) }
        state.digest = file.digest
        state.versions = versions
        state.isCurrent = !diagnostics.hasErrors
        if let decoded, !diagnostics.hasErrors {
            if isNew, decoded.content.items.isEmpty, let before = state.content?.items.count, before > 0 {
                state.diagnostics.append(
                    Diagnostic(
                        .warning, "no definitions are left in this file, \(before) removed",
                        at: SourceLocation(file: state.display)))
            }
            state.content = decoded.content
            state.contentDigest = file.digest
            if case .bytes(let bytes) = file.content { state.contentBytes = bytes }
            state.defaults = decoded.defaults
        }
    }

    /// Whether decoding the same bytes again could give another result. A file without errors depends only on the sinks
    /// that it names.
    private mutating func needsDecoding(_ file: SourceFile, against versions: Versions) -> Bool {
        guard case .bytes = file.content, let state = states[file.path], state.outer.isEmpty else { return false }
        guard state.versions != versions else { return false }
        guard state.isCurrent, state.versions?.defaults == versions.defaults, state.versions?.zones == versions.zones,
            let content = state.content
        else { return true }
        guard content.foreign.isSubset(of: names.value.known) else { return true }
        states[file.path]?.versions = versions
        return false
    }

    private func result(_ files: [SourceFile], _ merge: Merge, problems: [Diagnostic]) -> LoadResult {
        var reports: [FileReport] = []
        var needs: [FileNeeds] = []
        for file in files {
            guard let state = states[file.path] else { continue }
            if !state.needs.isEmpty, case .bytes(let bytes) = file.content, state.digest == file.digest {
                needs.append(FileNeeds(of: file, state, bytes))
            }
            let conflicts = merge.diagnostics[file.path] ?? []
            let count = merge.counts[file.path] ?? 0
            reports.append(
                FileReport(
                    path: file.path, display: state.display,
                    state: state.reportState(of: file, hasConflicts: !conflicts.isEmpty, inForce: count),
                    definitionCount: count, digest: state.contentDigest,
                    diagnostics: Self.sorted(state.outer + state.diagnostics + conflicts)))
        }
        let own = adHoc.values.map { AdHocDocument.file($0).path }.flatMap { path in
            (states[path]?.diagnostics ?? []) + (merge.diagnostics[path] ?? [])
        }
        let all = problems + reports.flatMap(\.diagnostics) + own
        return LoadResult(
            set: merge.set, files: reports, diagnostics: Self.sorted(all), hash: ContentHash.of(reports), needs: needs)
    }

    private func display(_ path: String) -> String {
        displayRoot.isEmpty ? path : displayRoot.hasSuffix("/") ? displayRoot + path : "\(displayRoot)/\(path)"
    }

    private static func directory(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.sorted { ($0.location, $0.message) < ($1.location, $1.message) }
    }
}
