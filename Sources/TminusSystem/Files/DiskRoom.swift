internal import Glibc

/// The room on the file system of a path (statvfs(3)).
package struct DiskRoom: Sendable, Hashable {
    /// The bytes that this user may still write.
    package var bytes: UInt64
    /// How many more files this user may make; nil if the file system has no limit.
    package var files: UInt64?

    /// The given room.
    package init(bytes: UInt64, files: UInt64?) {
        self.bytes = bytes
        self.files = files
    }

    /// The room where `path` is; nil if it cannot be looked up.
    package init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        self.bytes = isTooMuch ? .max : bytes
        files = status.f_files == 0 ? nil : UInt64(status.f_favail)
    }
}
