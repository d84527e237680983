internal import TminusCore
internal import TminusSystem

/// A backup that was read through and found whole: every member is allowed, and every file has the hash that the manifest
/// says.
struct BackupArchive {
    /// The path of the archive.
    let path: String
    /// What it says of itself.
    let manifest: BackupManifest

    /// Reads the archive through, without writing anything.
    ///
    /// - Throws: ``ToolError`` if it is damaged, cut off, of a newer tminus, or has a member that no backup has.
    init(_ path: String) throws(ToolError) {
        self.path = path
        var contents = Contents()
        do {
            var reader = try TarReader(path)
            while let entry = try reader.next() {
                try contents.take(entry)
                guard case .file(let size) = entry.kind else { continue }
                if entry.path == BackupManifest.name, size > BackupManifest.sizeLimit {
                    throw TarProblem(text: "has a manifest of \(size) bytes")
                }
                var (digest, text) = (ContentDigest(), [UInt8]())
                try reader.content { bytes in
                    digest.update(bytes)
                    if entry.path == BackupManifest.name { text += bytes }
                }
                contents.read(entry.path, digest.hexadecimal, text)
            }
            manifest = try contents.manifest()
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Writes the store to a file, which must not exist yet.
    func extractStore(to target: String) throws(ToolError) {
        try extract { entry, reader in
            guard entry.path == BackupLayout.store else { return }
            try Self.write(entry, of: &reader, to: target, mode: 0o600)
        }
    }

    /// Writes the directory of the definitions, which must not exist yet. No other user can write what is in it.
    func extractConfig(to target: String) throws(ToolError) {
        var directories: [(path: String, mode: UInt32)] = []
        try extract { entry, reader in
            guard let path = BackupLayout.pathInConfig(entry.path) else { return }
            let place = path.isEmpty ? target : "\(target)/\(path)"
            switch entry.kind {
            case .directory:
                try NewFile.directory(place)
                directories.append((place, entry.mode & 0o775))
            case .link(let link): try NewFile.link(place, to: link)
            case .file: try Self.write(entry, of: &reader, to: place, mode: entry.mode & 0o775)
            }
        }
        // Last, because a directory may be read-only.
        for (path, mode) in directories.reversed() { NewFile.finishDirectory(path, mode: mode) }
    }

    private func extract(_ body: (TarEntry, inout TarReader) throws -> Void) throws(ToolError) {
        do {
            // What changed since it was read through is noticed again.
            var contents = Contents()
            var reader = try TarReader(path)
            while let entry = try reader.next() {
                try contents.take(entry)
                try body(entry, &reader)
            }
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func write(_ entry: TarEntry, of reader: inout TarReader, to target: String, mode: UInt32) throws {
        let file = try NewFile(target, mode: mode)
        try reader.content { try file.write($0) }
        try file.finish(modified: entry.modified)
    }

    private static func failure(_ error: any Error, _ path: String) -> ToolError {
        switch error {
        case let error as ToolError: error
        case let error as SystemError: ToolError(error)
        case let problem as TarProblem: ToolError(.badData, "\(path): \(problem.text); nothing was changed")
        default: ToolError(.inputOutput, "\(path): \(error)")
        }
    }
}

/// What was seen of an archive so far: a pure check of its members in their order.
struct Contents {
    private var kinds: [String: TarEntry.Kind] = [:]
    private var digests: [String: String] = [:]
    private var text: [UInt8]?
    private static let most = 1_000_000

    /// Takes a member in, and refuses one that no backup has: outside of the two directories, twice, below something that
    /// is no directory, or a link out of the directory.
    mutating func take(_ entry: TarEntry) throws(TarProblem) {
        let (path, shown) = (entry.path, VisibleText.escaped(entry.path))
        guard text == nil else { throw TarProblem(text: "has '\(shown)' after its manifest") }
        guard kinds.count < Self.most else { throw TarProblem(text: "has more than \(Self.most) members") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.utf8.contains(0), !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw TarProblem(text: "has a member with a path that is not allowed: '\(shown)'")
        }
        guard kinds[path] == nil else { throw TarProblem(text: "has '\(shown)' twice") }
        try checkPlace(entry, shown)
        if parts.count > 1, kinds[parts.dropLast().joined(separator: "/")] != .directory {
            throw TarProblem(text: "has '\(shown)' without its directory")
        }
        if case .link(let target) = entry.kind {
            guard let place = BackupLayout.pathInConfig(path), LinkTarget.staysInside(target, of: place) else {
                throw TarProblem(
                    text: "has a link out of its directory: '\(shown)' to '\(VisibleText.escaped(target))'")
            }
        }
        kinds[path] = entry.kind
    }

    private func checkPlace(_ entry: TarEntry, _ shown: String) throws(TarProblem) {
        let isAllowed: Bool
        switch (entry.path, entry.kind) {
        case (BackupManifest.name, .file), (BackupLayout.store, .file), (BackupLayout.storeDirectory, .directory),
            (BackupLayout.config, .directory):
            isAllowed = true
        default: isAllowed = entry.path.hasPrefix("\(BackupLayout.config)/")
        }
        guard isAllowed else { throw TarProblem(text: "is no backup of tminus: it has '\(shown)'") }
    }

    /// Takes in the hash of a file, and the text of the manifest.
    mutating func read(_ path: String, _ digest: String, _ text: [UInt8]) {
        if path == BackupManifest.name { self.text = text } else { digests[path] = digest }
    }

    /// The manifest, which says the hash of every file and of no other.
    func manifest() throws(TarProblem) -> BackupManifest {
        guard let text else {
            throw TarProblem(text: "is no backup of tminus, or cut off: it has no \(BackupManifest.name)")
        }
        guard let manifest = BackupManifest.decoded(text) else {
            throw TarProblem(text: "has a \(BackupManifest.name) that cannot be read")
        }
        guard manifest.format <= BackupManifest.newestFormat else {
            throw TarProblem(
                text: "was made by a newer tminus (\(VisibleText.escaped(manifest.version))); restore it with that one")
        }
        for (path, digest) in digests.sorted(by: { $0.key < $1.key }) where manifest.files[path] != digest {
            throw TarProblem(text: "is damaged: '\(VisibleText.escaped(path))' is not what the manifest says (SHA-256)")
        }
        if let missing = manifest.files.keys.filter({ digests[$0] == nil }).min() {
            throw TarProblem(text: "is not whole: it lacks '\(VisibleText.escaped(missing))'")
        }
        guard digests[BackupLayout.store] != nil, kinds[BackupLayout.config] != nil else {
            throw TarProblem(text: "is not whole: it lacks the store or the directory of the definitions")
        }
        return manifest
    }
}

extension BackupLayout {
    /// A path below the directory of the definitions, empty for that directory; nil for another one.
    static func pathInConfig(_ path: String) -> String? {
        if path == config { return "" }
        return path.hasPrefix("\(config)/") ? String(path.dropFirst(config.utf8.count + 1)) : nil
    }
}
