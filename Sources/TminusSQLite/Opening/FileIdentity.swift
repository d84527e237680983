import Glibc
import TminusCore

/// Which file is at a path (stat(2)).
struct FileIdentity: Sendable, Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// Of the file at `path` now; nil if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}

extension StoreError {
    /// The file may not be read.
    static func closed(_ path: String) -> StoreError {
        StoreError(.readOnly, "\(path): cannot be read (permission denied); run this as the user of the daemon")
    }

    /// The file that is open is not the one at the path.
    static func replaced(_ path: String) -> StoreError {
        StoreError(
            .other,
            "\(path): was removed or replaced while tminus uses it; put it back where it was, or start tminus again")
    }
}
