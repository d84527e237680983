internal import CPlatform
internal import Glibc

/// A hidden file beside another file; readers of definitions ignore it.
///
/// Its writer holds a lock on it (flock(2)). The next writer removes files without a lock: their writers were killed.
struct TemporaryFile: ~Copyable {
    /// Its path.
    let path: String
    private let shownPath: String
    private let directory: String
    private let descriptor: Int32

    /// What is between the name of the other file and a random number in the names of all of them.
    private static let mark = ".tminus-"
    private static let suffix = ".tmp"

    /// Creates the file with the given content.
    init(beside target: String, shownAs shownPath: String, _ bytes: [UInt8], mode: mode_t) throws(SystemError) {
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { String(target[...$0]) } ?? "./"
        // Names have at most 255 bytes.
        let name = (slash.map { String(target[target.utf8.index(after: $0)...]) } ?? target).prefix(40)
        let path = "\(directory).\(name)\(Self.mark)\(UInt32.random(in: 0 ... .max))\(Self.suffix)"
        (self.path, self.directory, self.shownPath) = (path, directory, shownPath)
        // Under the lock of the directory, nobody takes a new file for one that was left.
        descriptor = Self.locking(directory) {
            Self.removeLeftovers(directory)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
            return descriptor
        }
        guard descriptor >= 0 else {
            throw SystemError("\(shownPath): nothing can be written beside it: \(ErrorText.last)", .ofErrno)
        }
        let number = FileBytes.write(bytes, to: descriptor)
        guard number == 0 else {
            unlink(path)
            throw SystemError("\(shownPath): nothing was changed: \(ErrorText.of(number))", .io)
        }
    }

    deinit { close(descriptor) }

    /// Tells it from other files; nil only if it cannot be looked up.
    var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

    /// Copies the owner, the extended attributes (with access control lists) and the mode of `other`, as far as
    /// permissions allow.
    func takeAttributes(of other: String) {
        var status = stat()
        guard stat(other, &status) == 0 else { return }
        // Separate calls, because a user may change the group of a file but not its owner.
        if fchown(descriptor, .max, status.st_gid) == 0 { _ = fchown(descriptor, status.st_uid, .max) }
        for name in Self.attributeNames(other) {
            let size = getxattr(other, name, nil, 0)
            guard size >= 0 else { continue }
            var value = [UInt8](repeating: 0, count: size)
            guard getxattr(other, name, &value, size) == size else { continue }
            _ = fsetxattr(descriptor, name, value, size, 0)
        }
        _ = fchmod(descriptor, status.st_mode & 0o7777)
    }

    /// For root: who may read the directory, by its group or as others, may read the file, whatever the umask. A service
    /// that reads the directory then reads the file. A directory in which everybody can write is none of a service.
    func openToReadersOfDirectory() {
        var (place, own) = (stat(), stat())
        guard MachinePaths.isRoot, stat(directory, &place) == 0, place.st_mode & 0o002 == 0,
            fstat(descriptor, &own) == 0, fchown(descriptor, .max, place.st_gid) == 0
        else { return }
        _ = fchmod(descriptor, own.st_mode & 0o7777 | place.st_mode & 0o044)
    }

    /// Flushes content and attributes to disk.
    func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else {
            throw SystemError("\(shownPath): nothing was changed: \(ErrorText.last)", .ofErrno)
        }
    }

    /// Flushes the directory to disk.
    func syncDirectory() { ParentDirectory.sync(directory) }

    /// Runs `body` under a lock on the directory; without a lock if the file system has none.
    func lockingDirectory(_ body: () throws(SystemError) -> Void) throws(SystemError) {
        try Self.locking(directory, body)
    }

    private static func locking<Value, Failure: Error>(
        _ directory: String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }

    /// Removes the files that killed writers have left in a directory.
    private static func removeLeftovers(_ directory: String) {
        for case let name? in (try? DirectoryNames.of(directory)) ?? [] where isOwn(name) {
            let path = directory + name
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            // A writer that lives has locked it.
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlink(path)
        }
    }

    /// Whether a name is one that ``init(beside:shownAs:_:mode:)`` makes.
    private static func isOwn(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix), let mark = name.ranges(of: mark).last else { return false }
        return UInt32(name[mark.upperBound...].dropLast(suffix.count)) != nil
    }

    /// Removes the name.
    func discard() { unlink(path) }

    private static func attributeNames(_ path: String) -> [String] {
        let size = listxattr(path, nil, 0)
        guard size > 0 else { return [] }
        var names = [CChar](repeating: 0, count: size)
        let count = listxattr(path, &names, size)
        return names.prefix(max(0, count)).split(separator: 0).map {
            String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
