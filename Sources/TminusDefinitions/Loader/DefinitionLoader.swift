package import TminusCore

/// Makes the set of definitions of a directory's content, and remembers the last good content of each file.
///
/// A file with an error keeps its last good content in force and leaves all other files alone. An id that two files
/// define belongs to the one that held it first; when that one gives it up, the other takes over.
package struct DefinitionLoader: Sendable {
    /// How often a file was parsed since the loader was made. Content that a former loader left does not count, unless the
    /// file is still the same.
    package internal(set) var parsedFiles = 0
    /// The version of the zone data that the last ``load(_:now:)`` used, such as `2025b`; nil if that is not known.
    package private(set) var zoneVersion: String?

    /// The definitions that people made without a file. They hold their ids until they are gone.
    package var adHoc: [DefinitionID: AdHocDefinition] = [:]

    /// Of files with more bytes than this not all documents are in memory at once.
    var aheadLimit = 1 << 20

    private let zones: any ZoneDatabase
    private let registry: SinkRegistry
    private let displayRoot: String
    /// Whether what is loaded is one file without the others of its directory.
    private let isAlone: Bool
    var states: [String: FileState] = [:]
    var rootPath: String?
    /// What was in force last.
    private var merge = Merge()
    /// Its sinks.
    private var sinks: [SinkKey: SinkSpec] = [:]
    /// What the files that have changed since were then; nil: not there.
    private var touched: [String: FileState?] = [:]
    /// Whether other things have changed, so that all files are to be put together anew.
    var mergesAnew = false
    /// The definitions that are others than after the last ``load(_:now:)``; nil if that is not known.
    private var changed: Set<DefinitionID>? = []
    /// Whether all files were put together anew and came to something else.
    private var isOther = false
    /// The `defaults` of the root file.
    var shared = Versioned(Defaults())
    /// The sinks that files declare.
    private var names = Versioned(SinkNames())
    private var lastGood = LastGood()
    /// The revision of the time zones that all that is in force was decoded under; nil before the first.
    var zonesRevision: Int?
    /// Sinks that were in force when a former loader left its content; known while that is decoded.
    private var formerSinks: Set<String> = []

    /// A loader without memory. `displayRoot` is the directory as the user wrote it, for diagnostics; those of a
    /// file that `isAlone` say that it sees no other.
    package init(zones: any ZoneDatabase, sinks: SinkRegistry, displayRoot: String, isAlone: Bool = false) {
        self.isAlone = isAlone
        self.zones = zones
        registry = sinks
        self.displayRoot = displayRoot
    }

    /// Takes what a former loader left, to be called before the first ``load(_:now:)``: a file that is broken or unreadable
    /// then has this content in force. One that is not in the directory does not come back.
    package mutating func remember(_ kept: KeptFiles) {
        lastGood = LastGood(kept)
    }

    /// Whether time zones are others than at the last ``load(_:now:)``: the same content would have another meaning now.
    package var hasOtherZones: Bool { zonesRevision != zones.revision }

    /// What is in force since the last ``load(_:now:)``. Whoever keeps a copy has the next one copy all of it.
    package var inForce: DefinitionSet { merge.set }

    /// The definitions that are in force with that content of the directory.
    package mutating func load(_ contents: DirectoryContents, now: Timestamp) -> LoadResult {
        changed = []
        isOther = false
        var contents = contents
        contents.files += lastGood.unreachable(in: contents)
        contents.files.sort { $0.path < $1.path }
        var all = contents
        all.files += adHoc.values.sorted { $0.id < $1.id }.map(AdHocDocument.file)
        // Before anything is decoded: what changes from here on is seen at the next look.
        let revision = zones.revision
        if revision != zonesRevision {
            zoneVersion = zones.version
            if zonesRevision != nil { renewGood(all, under: revision, now) }
            zonesRevision = revision
        }
        if let former = lastGood.takeFormer(of: contents) { takeUp(former, before: contents, now) }
        let merge = update(all, now)
        var result = result(contents.files, merge, problems: contents.problems)
        result.changed = changed
        result.isOther = isOther
        (result.kept, result.forgotten) = lastGood.change(to: contents, states)
        return result
    }

    /// Goes through the state of the directory that a former loader left, as if this one had been there: the next state is
    /// then an edit like any other.
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
            if state.digest == file.digest {
                parsedFiles += 1
            } else if state.content == nil {
                // Good for a former version, or with sinks that nobody knows any more.
                states[file.path] = nil
            } else {
                // Its warnings are about text that is not in the file.
                state.diagnostics = []
                state.digest = nil
                state.isCurrent = false
                states[file.path] = state
            }
        }
    }

    /// Decodes the last good content of files that are now broken or cannot be read once more, because the time zones are
    /// others. One whose zone is gone stays as it is.
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

        // All sinks come first, then the defaults of the root file, then what may name and use them.
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
        // Changed where it is and not as a copy: it is as large as all that is in force.
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

    /// Keeps what a file is, before it changes.
    private mutating func touch(_ path: String) {
        if touched.index(forKey: path) == nil { touched[path] = .some(states[path]) }
    }

    /// Finds the root file: the one that was it before, else the first. The others are its rivals.
    private mutating func chooseRoot(among files: [SourceFile]) -> [String] {
        let candidates = files.map(\.path).filter { ["tminus.json", "tminus.yaml", "tminus.yml"].contains($0) }
        if rootPath.map(candidates.contains) != true { rootPath = candidates.first }
        return candidates.filter { $0 != rootPath }
    }

    /// Takes notice of what a file now is, without looking into it.
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

    /// A file that was read, with its sinks decoded and the rest not yet.
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
        let read = DocumentReader.read(bytes, path: state.display)
        let surroundings = FileDecoder.Surroundings(
            zones: zones, registry: registry, directory: Self.directory(of: file.path, in: root), rootDirectory: root,
            now: now)
        let decoder = read.root.map { FileDecoder($0, surroundings, diagnostics: read.diagnostics) }
        let good = state.content?.sinks ?? [:]
        state.hasDocument = decoder != nil
        // What is broken now may still be known from before.
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

    /// Decodes a file, unless that was done with the same bytes and the same surroundings.
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

    /// Takes what decoding came to.
    func settle(
        _ state: inout FileState, _ file: SourceFile, _ opened: OpenedFile,
        _ decoded: (content: FileContent, defaults: Defaults)?, _ versions: Versions, isNew: Bool
    ) {
        let diagnostics = opened.read.diagnostics
        let known = Set(diagnostics.diagnostics.prefix(opened.read.readCount).map(\.location))
        // Where the reader had to put something in the place of what is not allowed, what follows from that is noise.
        let readCount = opened.read.readCount
        state.diagnostics =
            Array(diagnostics.diagnostics.prefix(readCount))
            + diagnostics.diagnostics.dropFirst(readCount).filter { !known.contains($0.location) }
        if diagnostics.omitted > 0, let last = state.diagnostics.last {
            state.diagnostics.append(
                Diagnostic(last.severity, "and \(diagnostics.omitted) more problems", at: last.location))
        }
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

    /// Whether the same bytes would now be decoded to something else. A file without errors does not care for sinks that
    /// it does not name.
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
        for file in files {
            guard let state = states[file.path] else { continue }
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
            set: merge.set, files: reports, diagnostics: Self.sorted(all), hash: ContentHash.of(reports))
    }

    private func display(_ path: String) -> String {
        displayRoot.isEmpty ? path : displayRoot.hasSuffix("/") ? displayRoot + path : "\(displayRoot)/\(path)"
    }

    private static func directory(of path: String, in root: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return ([root == "/" ? "" : root] + parts.map(String.init)).joined(separator: "/")
    }

    private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.sorted { ($0.location, $0.message) < ($1.location, $1.message) }
    }
}
