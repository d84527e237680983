import Glibc
package import TminusCore

/// Reads definition files once, as `tminus check` does.
package struct DirectoryReader: Sendable {
    private static let retries: [Int32] = [10, 50, 250]

    private let sizeLimit: Int
    private let limits: WalkLimits
    private let access: WriteAccess

    /// A reader.
    ///
    /// - Parameters:
    ///   - sizeLimit: the largest file that is read, in bytes.
    ///   - allowsInsecurePermissions: whether files that other users can write are read.
    package init(sizeLimit: Int = WatchOptions.defaultSizeLimit, allowsInsecurePermissions: Bool = false) {
        self.sizeLimit = sizeLimit
        limits = WalkLimits()
        access = WriteAccess(isChecked: !allowsInsecurePermissions)
    }

    /// Reads all files below `directory`. Waits up to a third of a second for each file that is being written.
    package func read(directory: String) -> DirectoryContents {
        let root = RawPath(absolute: directory)
        // Rethrows only what `visit` throws, which is nothing.
        let listing = DirectoryWalk.list(root, limits: limits, access: access) { (_, _) throws(Never) in }
        return read(listing, root: root)
    }

    /// The absolute paths of the directories that the daemon watches below `directory`, itself included.
    package func directories(below directory: String) -> [String] {
        let root = RawPath(absolute: directory)
        let listing = DirectoryWalk.list(root, limits: limits, access: access) { (_, _) throws(Never) in }
        return listing.directories.values.map { root.appending($0.bytes).text }.sorted()
    }

    /// Reads a single file, whatever its name, except for a JSON Schema. The root of the result is its directory.
    package func read(file: String) -> DirectoryContents {
        let path = RawPath(absolute: file)
        if NameFilter.isSchema(path.name) {
            let entry = IgnoredEntry(path: RawPath(path.name).shown, reason: .schema)
            return DirectoryContents(root: path.parent.text, ignored: IgnoredEntries([entry], total: 1))
        }
        var listing = Listing()
        var status = stat()
        if path.withCString({ stat($0, &status) }) == 0 {
            let objection =
                access.objection(to: status, at: path) ?? access.objection(toHolderOf: path)
                ?? access.objection(toTargetOf: path)
            let observation = Observation(status)
            listing.files[RawPath(path.name)] =
                objection.flatMap { observation.isRegular ? .special(reason: $0) : nil } ?? observation
        } else {
            let code = errno
            let isLink = path.withCString { lstat($0, &status) } == 0
            let reason = code == ENOENT && !isLink ? "does not exist" : FailureText.reading(code)
            listing.files[RawPath(path.name)] = .special(reason: reason)
        }
        return read(listing, root: path.parent)
    }

    /// Reads directories and files, as a user names them: one result for each directory, and one for each single file.
    package func read(paths: [String]) -> [DirectoryContents] {
        paths.map { path in
            var status = stat()
            let isDirectory =
                RawPath(absolute: path).withCString { stat($0, &status) } == 0
                && status.st_mode & S_IFMT == S_IFDIR
            return isDirectory ? read(directory: path) : read(file: path)
        }
    }

    private func read(_ listing: Listing, root: RawPath) -> DirectoryContents {
        let reader = SnapshotReader(root: root, reader: FileReader(sizeLimit: sizeLimit))
        var snapshot = Snapshot()
        for path in listing.files.keys.sorted() {
            var outcome = reader.update(path, in: &snapshot, listing: listing, wallTime: 0)
            for wait in Self.retries where outcome == .changing {
                _ = poll(nil, 0, wait)
                outcome = reader.update(path, in: &snapshot, listing: listing, wallTime: 0)
            }
            if outcome == .changing { _ = reader.giveUp(on: path, in: &snapshot, listing: listing) }
        }
        return snapshot.contents(root: root, listing: listing)
    }
}
