import TminusCore

/// What outlives the loader: the content that a former one left, and which content this one has handed out to be kept.
struct LastGood: Sendable {
    /// Of the former loader, until the first state of the directory that says something.
    private var former = KeptFiles()
    /// The digest of what is kept of each file.
    private var digests: [String: String] = [:]

    /// Nothing kept.
    init() {}

    /// What a former loader left.
    init(_ kept: KeptFiles) {
        former = kept
        digests = Dictionary(kept.files.map { ($0.path, $0.digest) }, uniquingKeysWith: { _, last in last })
    }

    /// The kept files that may well be there, below directories that cannot be read.
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

    /// What the former loader left of the files that are there; nil from the second time on.
    mutating func takeFormer(of contents: DirectoryContents) -> (contents: DirectoryContents, sinks: [SinkSpec])? {
        guard !former.files.isEmpty, !contents.saysNothing else { return nil }
        defer { former = KeptFiles() }
        let present = Set(contents.files.map(\.path))
        let files = former.files.filter { present.contains($0.path) }.map { kept in
            // Of no file is the digest computed once more.
            var file = SourceFile(path: kept.path, content: .unreadable(reason: ""))
            file.content = .bytes(kept.content)
            file.digest = kept.digest
            return file
        }
        return (
            DirectoryContents(root: contents.root, files: files.sorted { $0.path < $1.path }), former.sinks
        )
    }

    /// What is to be kept now and was not, and of which files nothing is to be kept any more.
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
        // Of a directory that is not read whole it is not known what is gone.
        guard !contents.problems.contains(where: { $0.severity == .error }) else { return (kept, []) }
        let present = Set(contents.files.map(\.path))
        let forgotten = digests.keys.filter { !present.contains($0) }.sorted()
        for path in forgotten { digests[path] = nil }
        return (kept, forgotten)
    }
}

extension DirectoryContents {
    /// Whether it is unknown which files there are.
    fileprivate var saysNothing: Bool { files.isEmpty && problems.contains { $0.severity == .error } }
}
