package import TminusCore
internal import TminusSQLite
internal import TminusSystem

/// `tminus backup`: the store and the definitions in one archive.
package struct Backup: Sendable {
    /// The archive to write.
    package var target: String
    /// The directory of the definitions.
    package var config: String
    /// The state directory. A backup has only its store.
    package var stateDirectory: String
    /// The store.
    package var storePath: String
    /// The version of this program.
    package var version: String
    /// Whether an archive that is there is replaced.
    package var replaces: Bool

    /// What was written.
    package struct Result: Sendable {
        /// How many definition files and other files of the directory it has.
        package var files: Int
        /// The size of the archive, in bytes.
        package var size: UInt64
        /// What was left out or changed, a sentence each.
        package var notes: [String]
    }

    /// A backup of these places, which must be absolute.
    package init(
        target: String, config: String, stateDirectory: String, storePath: String, version: String, replaces: Bool
    ) {
        self.target = target
        self.config = config
        self.stateDirectory = stateDirectory
        self.storePath = storePath
        self.version = version
        self.replaces = replaces
    }

    /// Writes the archive for its owner only, with or without a daemon that runs. It has its name only once it is whole.
    ///
    /// - Throws: ``ToolError``; then nothing was changed.
    package func make(now: Timestamp) async throws(ToolError) -> Result {
        if Permissions.exists(target), !Permissions.isRegularFile(target) {
            throw ToolError(
                .inputOutput, "\(target): is no file, and a backup replaces nothing else; give another name")
        }
        if !replaces, Permissions.exists(target) {
            throw ToolError(.inputOutput, "\(target): is there already; give another name, or --force to replace it")
        }
        let directory = ParentDirectory.of(target)
        guard MachinePaths.firstDirectory(of: [directory]) != nil else {
            throw ToolError(.inputOutput, "\(directory): there is no such directory")
        }
        let draft = Draft(of: target)
        defer { draft.remove() }
        let schema = try await copyStore(to: draft.store)
        let skipped = [stateDirectory, storePath, target, draft.store].compactMap { FileIdentity($0) }
        let tree = FileTree(of: config, skipping: Set(skipped))
        guard tree.problems.isEmpty else {
            throw ToolError(
                .permission,
                tree.problems.prefix(10).joined(separator: "\n")
                    + "\nno backup was written, because it would not be complete; run this as a user who may read all of it"
            )
        }
        let notes = tree.notes
        do throws(SystemError) {
            try write(tree, schema: schema, to: draft, now: now)
            try FilePlacing.place(draft.archive, at: target, replaces: replaces)
        } catch {
            throw ToolError(error)
        }
        let files = tree.nodes.count { if case .file = $0.kind { true } else { false } }
        return Result(files: files, size: FilePlacing.size(of: target) ?? 0, notes: notes)
    }

    private func copyStore(to copy: String) async throws(ToolError) -> Int {
        do throws(StoreError) {
            guard let store = try SQLiteStore.reading(path: storePath) else {
                throw StoreError(.other, "\(storePath): there is no store; name the state directory with --state")
            }
            let schema = try await store.copy(to: copy)
            try await store.close()
            return schema
        } catch {
            throw ToolError(error)
        }
    }

    private func write(_ tree: FileTree, schema: Int, to draft: Draft, now: Timestamp) throws(SystemError) {
        let seconds = Int(now.nanoseconds / 1_000_000_000)
        func directory(_ path: String, mode: UInt32 = 0o700) -> TarEntry {
            TarEntry(path: path, kind: .directory, mode: mode, modified: seconds)
        }
        var digests: [String: String] = [:]
        var writer = try TarWriter(creating: draft.archive)
        try writer.begin(directory(BackupLayout.storeDirectory))
        let size = FilePlacing.size(of: draft.store) ?? 0
        let store = TarEntry(path: BackupLayout.store, kind: .file(size: Int(size)), mode: 0o600, modified: seconds)
        digests[store.path] = try writer.add(store, from: draft.store)
        try writer.begin(directory(BackupLayout.config, mode: tree.mode))
        for node in tree.nodes {
            let entry = TarEntry(
                path: "\(BackupLayout.config)/\(node.path)", kind: node.kind, mode: node.mode, modified: node.modified)
            if case .file = node.kind {
                digests[entry.path] = try writer.add(entry, from: node.source)
            } else {
                try writer.begin(entry)
            }
        }
        let manifest = BackupManifest(
            version: version, schema: schema, made: now.rfc3339, config: config, store: storePath, files: digests)
        let text = manifest.encoded
        try writer.begin(
            TarEntry(path: BackupManifest.name, kind: .file(size: text.count), mode: 0o600, modified: seconds))
        try writer.write(text[...])
        try writer.end()
        try writer.finish()
    }
}

/// The unfinished files of a backup, hidden beside it.
private struct Draft {
    let archive: String
    let store: String

    init(of target: String) {
        let directory = ParentDirectory.of(target)
        let stem = "\(directory == "/" ? "" : directory)/.tminus-backup-\(MachinePaths.processID)"
        (archive, store) = ("\(stem).tar", "\(stem).sqlite")
        remove()
    }

    func remove() {
        for path in [archive, store] { FilePlacing.remove(path) }
    }
}

extension TarWriter {
    /// Adds a file with the content that it has now, and returns its SHA-256. A file that shrinks meanwhile is an error.
    fileprivate mutating func add(_ entry: TarEntry, from source: String) throws(SystemError) -> String {
        var digest = ContentDigest()
        try begin(entry)
        let reader = try FileReading(source)
        while missingBytes > 0 {
            let bytes = try reader.next(limit: missingBytes)
            guard !bytes.isEmpty else { throw FileReading.changed(source) }
            digest.update(bytes[...])
            try write(bytes[...])
        }
        try end()
        return digest.hexadecimal
    }
}
