import Glibc

/// Tells directories and files apart, whatever their paths.
struct FileIdentity: Hashable, Sendable {
    /// The device.
    var device: UInt64
    /// The inode on that device.
    var inode: UInt64

    /// Of something that was looked up.
    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// An identity from its parts.
    init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// What changes when a file's content does. Equal stamps say "probably equal"; the digest of the content decides.
struct FileStamp: Hashable, Sendable {
    /// Which file.
    var identity: FileIdentity
    /// In bytes.
    var size: Int64
    /// When the content was written, in nanoseconds since the epoch by the file system's clock.
    var modified: Int64
    /// When content or attributes were changed, as `modified`.
    var changed: Int64

    /// Of something that was looked up.
    init(_ status: stat) {
        identity = FileIdentity(status)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// A stamp from its parts.
    init(identity: FileIdentity, size: Int64, modified: Int64, changed: Int64) {
        self.identity = identity
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// Times beyond 1677 to 2262 wrap: a stamp is only compared, and an age that comes out wrong only costs a wait.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// What a scan sees of one definition file, without opening it.
enum Observation: Hashable, Sendable {
    /// A regular file, possibly behind a symbolic link.
    case regular(FileStamp)
    /// Something that cannot be read, and what to do about it.
    case special(reason: String)

    /// An entry whose kind was looked up, symbolic links followed.
    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .regular(FileStamp(status))
        case S_IFDIR:
            self = .special(reason: "is a directory: give it a name that does not end like that of a definition file")
        case S_IFIFO: self = .special(reason: "is a named pipe: put a regular file in its place, or remove it")
        case S_IFSOCK: self = .special(reason: "is a socket: put a regular file in its place, or remove it")
        default: self = .special(reason: "is a device: put a regular file in its place, or remove it")
        }
    }
}
