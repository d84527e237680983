import TminusCore

/// The content that survives the loader: what an earlier loader kept, and what this one has passed on to be kept.
struct LastGood: Sendable {
    /// The content of the earlier loader, until the first load that could read the directory.
    private var former = KeptFiles()
    /// The digest of the kept content of each file.
    private var digests: [String: String] = [:]

    /// Starts with nothing.
    init() {}

    /// Starts with the content that an earlier loader kept.
    init(_ kept: KeptFiles) {
        former = kept
        digests = Dictionary(kept.files.map { ($0.path, $0.digest) }, uniquingKeysWith: { _, last in last })
    }

    /// Kept files that may still exist, in directories that cannot be read.
    func unreachable(in contents: DirectoryContents) -> [SourceFile] {
        let base = contents.root == "/" ? "/" : contents.root + "/"
        let closed = Set(contents.problems.filter { $0.severity == .error }.map(\.location.file))
        guard !closed.isEmpty else { return [] }
        let present = Set(contents.files.map(\.path))
        return digests.keys.filter { path in
            guard !present.contains(path) else { return false }
            return path.indices.contains { path[$0] == "/" && closed.contains(base + path[..<$0]) }
        }.map { SourceFile(path: $0, content: .unreadable(reason: "its directory cannot be read")) }
    }

    /// The content of the earlier loader for the files that still exist; nil from the second call on.
    mutating func takeFormer(of contents: DirectoryContents) -> (contents: DirectoryContents, sinks: [SinkSpec])? {
        guard !former.files.isEmpty, !contents.saysNothing else { return nil }
        defer { former = KeptFiles() }
        let present = Set(contents.files.map(\.path))
        let files = former.files.filter { present.contains($0.path) }.map(SourceFile.init)
        return (
            DirectoryContents(root: contents.root, files: files.sorted { $0.path < $1.path }), former.sinks
        )
    }

    /// The content that must be kept from now on, and the files whose kept content can be deleted.
    mutating func change(
        to contents: DirectoryContents, _ states: [String: FileState]
    ) -> (kept: [KeptFile], forgotten: [String]) {
        var kept: [KeptFile] = []
        for file in contents.files {
            guard let state = states[file.path], state.isCurrent, state.outer.isEmpty, state.digest == file.digest,
                digests[file.path] != file.digest, let good = KeptFile(file)
            else { continue }
            digests[file.path] = file.digest
            kept.append(good)
        }
        // If a directory could not be read completely, it is unknown which files are gone.
        guard !contents.problems.contains(where: { $0.severity == .error }) else { return (kept, []) }
        let present = Set(contents.files.map(\.path))
        let forgotten = digests.keys.filter { !present.contains($0) }.sorted()
        for path in forgotten { digests[path] = nil }
        return (kept, forgotten)
    }
}

extension DirectoryContents {
    /// Whether the directory could not be read at all.
    fileprivate var saysNothing: Bool { files.isEmpty && problems.contains { $0.severity == .error } }
}
