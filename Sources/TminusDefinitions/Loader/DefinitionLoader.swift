package import TminusCore

/// Makes the set of definitions of a directory's content, and remembers the last good content of each file.
///
/// A file with an error keeps its last good content in force and leaves all other files alone. An id that two files
/// define belongs to the one that held it first; when that one gives it up, the other takes over.
package struct DefinitionLoader: Sendable {
    /// How often a file was parsed since the loader was made.
    package private(set) var parsedFiles = 0

    private let zones: any ZoneDatabase
    private let registry: SinkRegistry
    private let displayRoot: String
    private var states: [String: FileState] = [:]
    private var rootPath: String?
    private var owners = Owners()

    /// A loader without memory. `displayRoot` is the directory as the user wrote it, for diagnostics.
    package init(zones: any ZoneDatabase, sinks: SinkRegistry, displayRoot: String) {
        self.zones = zones
        registry = sinks
        self.displayRoot = displayRoot
    }

    /// The definitions that are in force with that content of the directory.
    package mutating func load(_ contents: DirectoryContents, now: Timestamp) -> LoadResult {
        let files = contents.files.sorted { $0.path < $1.path }
        let present = Set(files.map(\.path))
        states = states.filter { present.contains($0.key) }
        let rivals = chooseRoot(among: files)
        for file in files { note(file, rivals: rivals) }

        // A sink that another file holds is not the root file's to give. Who holds it shows only when all files are
        // decoded, so they may have to be decoded with another answer once more.
        var merge = Merge()
        for _ in 0..<3 {
            let withheld = owners.sinks.filter { $0.value != rootPath }.map(\.key)
            decodeRoot(files, contents.root, now)
            let shared = shared(without: Set(withheld))
            for file in files where file.path != rootPath {
                decode(file, contents.root, now, shared: shared)
            }
            merge = Merge(files: files, states: states, rootPath: rootPath, previous: owners)
            owners = merge.owners
            if Set(withheld) == Set(owners.sinks.filter { $0.value != rootPath }.map(\.key)) { break }
        }
        return result(files, merge, problems: contents.problems)
    }

    /// Finds the root file: the one that was it before, else the first. The others are its rivals.
    private mutating func chooseRoot(among files: [SourceFile]) -> [String] {
        let candidates = files.map(\.path).filter { ["tminus.json", "tminus.yaml", "tminus.yml"].contains($0) }
        if rootPath.map(candidates.contains) != true { rootPath = candidates.first }
        return candidates.filter { $0 != rootPath }
    }

    /// Takes notice of what a file now is, without looking into it.
    private mutating func note(_ file: SourceFile, rivals: [String]) {
        var state = states[file.path] ?? FileState()
        state.outer = []
        state.display = display(file.path)
        let place = SourceLocation(file: display(file.path))
        if rivals.contains(file.path), let rootPath {
            state.outer.append(
                Diagnostic(.error, "'\(display(rootPath))' is the root file already; remove one of the two", at: place))
        }
        if case .unreadable(let reason) = file.content {
            state.outer.append(Diagnostic(.error, "cannot be read: \(reason)", at: place))
        }
        states[file.path] = state
    }

    private mutating func decodeRoot(_ files: [SourceFile], _ root: String, _ now: Timestamp) {
        guard let file = files.first(where: { $0.path == rootPath }) else { return }
        decode(file, root, now, shared: Shared())
    }

    /// What the root file gives to all others.
    private func shared(without withheld: Set<String>) -> Shared {
        guard let rootPath, let state = states[rootPath] else { return Shared() }
        guard let content = state.content else { return Shared(isBroken: true) }
        let sinks = content.sinks.filter { !withheld.contains($0.key) }.mapValues(\.spec)
        return Shared(defaults: state.defaults, sinks: sinks)
    }

    /// Parses and decodes a file, unless that was done with the same bytes and the same surroundings.
    private mutating func decode(_ file: SourceFile, _ root: String, _ now: Timestamp, shared: Shared) {
        guard case .bytes(let bytes) = file.content, var state = states[file.path], state.outer.isEmpty else { return }
        guard state.digest != file.digest || state.shared != shared else { return }
        parsedFiles += 1
        let isRead = state.digest == file.digest
        let read = DocumentReader.read(bytes, path: state.display)
        let diagnostics = read.diagnostics
        let known = Set(diagnostics.diagnostics.map(\.location))
        let surroundings = FileDecoder.Surroundings(
            zones: zones, registry: registry, directory: Self.directory(of: file.path, in: root), rootDirectory: root,
            shared: shared, now: now)
        var decoder = FileDecoder(surroundings, diagnostics: diagnostics)
        let decoded = read.root.map { decoder.decode($0) }
        // Where the reader had to put something in the place of what is not allowed, what follows from that is noise.
        let readCount = read.readCount
        state.diagnostics =
            Array(diagnostics.diagnostics.prefix(readCount))
            + diagnostics.diagnostics.dropFirst(readCount).filter { !known.contains($0.location) }
        if diagnostics.omitted > 0, let last = state.diagnostics.last {
            state.diagnostics.append(
                Diagnostic(last.severity, "and \(diagnostics.omitted) more problems", at: last.location))
        }
        state.digest = file.digest
        state.shared = shared
        state.isCurrent = !diagnostics.hasErrors
        if let decoded, !diagnostics.hasErrors {
            if !isRead, decoded.content.items.isEmpty, let before = state.content?.items.count, before > 0 {
                state.diagnostics.append(
                    Diagnostic(
                        .warning, "no definitions are left in this file, \(before) removed",
                        at: SourceLocation(file: state.display)))
            }
            state.content = decoded.content
            state.defaults = decoded.defaults
        }
        states[file.path] = state
    }

    private func result(_ files: [SourceFile], _ merge: Merge, problems: [Diagnostic]) -> LoadResult {
        var reports: [FileReport] = []
        for file in files {
            guard let state = states[file.path] else { continue }
            let conflicts = merge.diagnostics[file.path] ?? []
            reports.append(
                FileReport(
                    path: file.path, display: state.display,
                    state: state.reportState(of: file, hasConflicts: !conflicts.isEmpty),
                    definitionCount: merge.counts[file.path] ?? 0,
                    diagnostics: Self.sorted(state.outer + state.diagnostics + conflicts)))
        }
        let all = problems + reports.flatMap(\.diagnostics)
        return LoadResult(set: merge.set, files: reports, diagnostics: Self.sorted(all))
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
