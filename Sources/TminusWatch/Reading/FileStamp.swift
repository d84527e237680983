import Glibc
import TminusSystem

/// Changes whenever the content of a file changes. Equal stamps mean "probably equal"; the digest of the content
/// decides.
struct FileStamp: Hashable, Sendable {
    /// The file.
    var identity: FileIdentity
    /// The size in bytes.
    var size: Int64
    /// The time of the last write, in nanoseconds since the epoch by the clock of the file system.
    var modified: Int64
    /// The time of the last change of content or attributes, in the same unit.
    var changed: Int64

    /// The stamp of a file that was looked up.
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

    /// Times outside of 1677 to 2262 wrap. Stamps are only compared, and a wrong age costs only a wait.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// The state of a definition file as a scan sees it, without opening the file.
enum Observation: Hashable, Sendable {
    /// A regular file, possibly behind a symbolic link.
    case regular(FileStamp)
    /// An entry that cannot be read, and the remedy.
    case special(reason: String)

    /// The kind of an entry, with symbolic links followed.
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
