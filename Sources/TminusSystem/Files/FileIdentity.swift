package import Glibc

/// Identifies a file or directory regardless of its path (stat(2)).
package struct FileIdentity: Hashable, Sendable {
    /// The device.
    package var device: UInt64
    /// The inode on that device.
    package var inode: UInt64

    /// The identity in the result of stat(2).
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// The identity of the file at `path` now; nil if there is none.
    package init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// The identity of an open file; nil if it cannot be looked up.
    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// An identity from its parts.
    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}
