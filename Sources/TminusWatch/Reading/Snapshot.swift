import TminusCore

/// The files in force, and their state when they were read.
struct Snapshot: Sendable {
    /// One file in force.
    struct Entry: Sendable {
        /// The state in the last scan. The file is not read again while its state stays the same.
        var observation: Observation
        /// The content, or why it could not be read.
        var content: SourceFile.Content
        /// Identifies the content.
        var digest: String
        /// Whether the file must be read once more although its stamp is unchanged. Either it was read so soon after a
        /// write that a second write could have the same times, or the read failed for a reason that may pass.
        var isDoubtful = false
    }

    /// By the path below the root.
    private(set) var entries: [RawPath: Entry] = [:]
    /// Files that existed at the start and have not been read whole yet.
    private var awaited: Set<RawPath> = []

    /// Records that the content is about to be emitted for the first time. A file that is still being written is then
    /// reported as unreadable, so its content from an earlier process stays in force.
    mutating func begin(with listing: Listing) {
        awaited = Set(listing.files.keys).subtracting(entries.keys)
    }

    /// Puts a file in force. Returns whether its content changed.
    mutating func put(_ path: RawPath, _ observation: Observation, _ content: SourceFile.Content, isDoubtful: Bool)
        -> Bool
    {
        // The digest of `SourceFile`, so that both always agree.
        let digest = SourceFile(path: "", content: content).digest
        let old = entries.updateValue(
            Entry(observation: observation, content: content, digest: digest, isDoubtful: isDoubtful), forKey: path)
        return old?.digest != digest
    }

    /// Takes a file out of force. Returns whether it was in force.
    mutating func remove(_ path: RawPath) -> Bool {
        entries.removeValue(forKey: path) != nil
    }

    /// All files that differ in `listing`, and those of `completed` that it contains.
    ///
    /// - Parameters:
    ///   - rereads: whether to include doubtful files.
    ///   - wallTime: nanoseconds since the epoch, for the files' ages.
    func changes(in listing: Listing, completed: [RawPath], rereads: Bool, wallTime: Int64) -> [FileChange] {
        let revisited = Set(completed)
        var changes: [FileChange] = []
        for (path, observation) in listing.files {
            let entry = entries[path]
            let isDoubtful = rereads && entry?.isDoubtful == true
            if entry?.observation == observation, !isDoubtful, !revisited.contains(path) { continue }
            changes.append(change(of: path, to: observation, from: entry, wallTime: wallTime))
        }
        for path in entries.keys where listing.files[path] == nil && listing.obstacle(to: path) == nil {
            changes.append(FileChange(path: path, kind: .lost))
        }
        return changes
    }

    private func change(
        of path: RawPath, to observation: Observation, from entry: Entry?, wallTime: Int64
    ) -> FileChange {
        guard case .regular(let stamp) = observation else {
            return FileChange(path: path, kind: entry?.observation.isRegular == true ? .lost : .immediate)
        }
        if entry?.observation == observation, entry?.isDoubtful == true {
            return FileChange(path: path, kind: .immediate)
        }
        let (age, overflow) = wallTime.subtractingReportingOverflow(stamp.modified)
        if stamp.size == 0, case .bytes(let bytes)? = entry?.content, !bytes.isEmpty {
            return FileChange(path: path, kind: .lost)
        }
        return FileChange(path: path, kind: .present(stamp), age: overflow ? .zero : .nanoseconds(age))
    }

    /// The content to emit.
    func contents(root: RawPath, listing: Listing) -> DirectoryContents {
        var shown: Set<String> = []
        shown.reserveCapacity(entries.count)
        var files: [SourceFile] = []
        files.reserveCapacity(entries.count)
        let unread = awaited.filter { entries[$0] == nil && listing.files[$0] != nil }
        for path in (Array(entries.keys) + unread).sorted() {
            // `String` compares by canonical equivalence, the file system by bytes.
            var name = path.shown
            if !shown.insert(name).inserted { name = path.shownAsASCII }
            guard let entry = entries[path] else {
                files.append(
                    SourceFile(
                        path: name,
                        content: .unreadable(reason: "is being written; it will be read when it is complete")))
                continue
            }
            var content = entry.content
            if listing.files[path] == nil, let obstacle = listing.obstacle(to: path) {
                content = .unreadable(reason: "cannot be reached: its directory \(obstacle)")
            }
            var file = SourceFile(path: name, content: .unreadable(reason: ""))
            file.content = content
            file.digest = content == entry.content ? entry.digest : SourceFile(path: name, content: content).digest
            files.append(file)
        }
        return DirectoryContents(root: root.text, files: files, problems: listing.problems, ignored: listing.ignored)
    }
}

extension Listing {
    /// Why the state of the file at `path` is unknown: a directory on its path could not be read. Nil if all of them
    /// could.
    func obstacle(to path: RawPath) -> String? {
        guard !unreadable.isEmpty else { return nil }
        return unreadable.first { path.isWithin($0.key) && path != $0.key }?.value
    }
}

extension Observation {
    /// Whether it is a regular file.
    var isRegular: Bool {
        if case .regular = self { true } else { false }
    }
}

extension DirectoryContents {
    /// Whether `other` has the same content, compared by digests.
    func isSame(as other: DirectoryContents) -> Bool {
        problems == other.problems && files.count == other.files.count
            && zip(files, other.files).allSatisfy { $0.digest == $1.digest && $0.path == $1.path }
    }
}
