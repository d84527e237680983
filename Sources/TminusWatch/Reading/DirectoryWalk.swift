import Glibc
import TminusCore
import TminusSystem

/// One walk over a directory tree. It reads names and stamps only and opens no file. It reads each directory once, also
/// if several symbolic links lead there, so a cycle ends.
struct DirectoryWalk {
    private struct Place {
        var path: RawPath
        var depth: Int
        /// Why nothing in it is trusted: another user can replace a directory on the path.
        var objection: String?
    }

    private static let itself = Array(".".utf8)
    private static let above = Array("..".utf8)

    private let root: RawPath
    private let limits: WalkLimits
    private let access: WriteAccess
    private var listing = Listing()
    private var queue: [Place]
    private var head = 0
    /// Read after all real directories, so that a file is known by its real path if it has one.
    private var linked: [Place] = []

    private init(root: RawPath, limits: WalkLimits, access: WriteAccess) {
        self.root = root
        self.limits = limits
        self.access = access
        queue = [Place(path: .empty, depth: 0)]
    }

    /// Lists the tree below the absolute path `root`.
    ///
    /// `visit` is called with each directory before its entries are read, so a watch that it adds misses nothing:
    /// earlier entries are listed, later ones cause events.
    static func list<Failure: Error>(
        _ root: RawPath, limits: WalkLimits, access: WriteAccess,
        visit: (_ path: RawPath, _ identity: FileIdentity) throws(Failure) -> Void
    ) throws(Failure) -> Listing {
        var walk = DirectoryWalk(root: root, limits: limits, access: access)
        while let place = walk.next() {
            try walk.read(place, visit: visit)
        }
        return walk.listing
    }

    private mutating func next() -> Place? {
        if head == queue.count {
            guard !linked.isEmpty else { return nil }
            queue = linked
            linked = []
            head = 0
        }
        defer { head += 1 }
        return queue[head]
    }

    private mutating func read<Failure: Error>(
        _ place: Place, visit: (_ path: RawPath, _ identity: FileIdentity) throws(Failure) -> Void
    ) throws(Failure) {
        let directory = root.appending(place.path.bytes)
        let descriptor = directory.withCString { open($0, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return fail(place, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            return fail(place, code: code)
        }
        let identity = FileIdentity(status)
        guard listing.directories[identity] == nil else {
            close(descriptor)
            return ignore([place], .repeated)
        }
        guard listing.directories.count < limits.directories else {
            close(descriptor)
            ignore([place] + queue[head...] + linked, .count)
            head = queue.count
            linked = []
            return report(
                "more than \(limits.directories) directories: this directory and all later ones are not read",
                at: directory)
        }
        listing.directories[identity] = place.path
        do {
            try visit(place.path, identity)
        } catch {
            close(descriptor)
            throw error
        }
        var place = place
        place.objection = place.objection ?? access.objection(to: status, at: directory)
        readEntries(of: place, descriptor: descriptor)
    }

    /// Reads the entries, and closes the descriptor.
    private mutating func readEntries(of place: Place, descriptor: Int32) {
        guard let stream = fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            return fail(place, code: code)
        }
        defer { closedir(stream) }
        var below: [RawPath] = []
        var belowLinks: [RawPath] = []
        var ignored = IgnoredNames(room: IgnoredEntries.limit - listing.ignored.entries.count)
        defer { ignored.append(to: &listing.ignored, in: place.path) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { fail(place, code: errno) }
                break
            }
            let type = Int(entry.pointee.d_type)
            let name = Self.name(of: entry)
            let path = place.path.appending(name)
            if NameFilter.isDefinition(name) {
                let isLink = type == DT_LNK || (type == DT_UNKNOWN && Self.isLink(name, in: descriptor))
                if isLink { listing.links.append(path) }
                listing.files[path] = observe(name, at: path, in: descriptor, of: place, isLink: isLink)
            } else if NameFilter.isDirectory(name), type == DT_DIR || type == DT_LNK || type == DT_UNKNOWN {
                guard type == DT_DIR || Self.isDirectory(name, in: descriptor) else {
                    ignored.add(name, .suffix)
                    continue
                }
                if type == DT_LNK { belowLinks.append(path) } else { below.append(path) }
            } else if name != Self.itself, name != Self.above,
                let objection = NameFilter.objection(to: name)
            {
                ignored.add(name, objection)
            }
        }
        if let first = (below + belowLinks).min(), place.depth >= limits.depth {
            for path in below + belowLinks { ignored.add(Array(path.name), .depth) }
            return report(
                "more than \(limits.depth) directories deep: it is not read", at: root.appending(first.bytes))
        }
        // Sorted, so that a limit always excludes the same directories.
        queue += below.sorted().map { Place(path: $0, depth: place.depth + 1, objection: place.objection) }
        linked += belowLinks.sorted().map { path in
            let objection = place.objection ?? access.objection(toTargetOf: root.appending(path.bytes))
            return Place(path: path, depth: place.depth + 1, objection: objection)
        }
    }

    private mutating func fail(_ place: Place, code: Int32) {
        let directory = root.appending(place.path.bytes)
        if code == ENOENT || code == ENOTDIR {
            // A directory below the root was removed after it was listed, so it is simply absent.
            guard place.path == .empty else { return }
            listing.hasRoot = false
            report(
                code == ENOENT
                    ? "the directory does not exist: make it, or name another with --config"
                    : "is not a directory: name a directory with --config", at: directory)
        } else {
            listing.unreadable[place.path] = FailureText.reading(code)
            report("the directory \(FailureText.reading(code))", at: directory)
        }
    }

    private mutating func ignore(_ places: [Place], _ reason: IgnoredEntry.Reason) {
        listing.ignored.total += places.count
        let room = IgnoredEntries.limit - listing.ignored.entries.count
        listing.ignored.entries += places.prefix(room).map { IgnoredEntry(path: $0.path.shown, reason: reason) }
    }

    private mutating func report(_ message: String, at path: RawPath) {
        listing.problems.append(Diagnostic(.error, message, at: SourceLocation(file: path.shown)))
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        // Not `pointee.d_name`, which copies 256 bytes although the record may be shorter.
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let start = UnsafeRawPointer(entry) + offset
        let length = strlen(start.assumingMemoryBound(to: CChar.self))
        return Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// What a name leads to; nil if it has vanished since it was listed.
    private func observe(
        _ name: [UInt8], at path: RawPath, in directory: Int32, of place: Place, isLink: Bool
    ) -> Observation? {
        var status = stat()
        guard Self.look(name, in: directory, &status, following: true) else {
            let code = errno
            // A dangling link still exists; a vanished name does not.
            let exists = Self.look(name, in: directory, &status, following: false)
            return exists ? .special(reason: FailureText.reading(code)) : nil
        }
        let observation = Observation(status)
        guard observation.isRegular else { return observation }
        let full = root.appending(path.bytes)
        let objection =
            place.objection ?? access.objection(to: status, at: full)
            ?? (isLink ? access.objection(toTargetOf: full) : nil)
        return objection.map { .special(reason: $0) } ?? observation
    }

    private static func isLink(_ name: [UInt8], in directory: Int32) -> Bool {
        var status = stat()
        return look(name, in: directory, &status, following: false) && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func isDirectory(_ name: [UInt8], in directory: Int32) -> Bool {
        var status = stat()
        return look(name, in: directory, &status, following: true) && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func look(_ name: [UInt8], in directory: Int32, _ status: inout stat, following: Bool) -> Bool {
        RawPath(name).withCString { fstatat(directory, $0, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) } == 0
    }
}
