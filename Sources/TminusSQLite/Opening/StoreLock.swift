import Glibc
package import TminusCore
import TminusSystem

/// The exclusive lock of a process on a store, held for as long as the value lives.
///
/// The lock of the state directory does not suffice, because `--store` may name a file of another one. It is an flock(2) on the
/// file itself, so two names of one file collide. SQLite uses the locks of fcntl(2), which are independent of it on a local file
/// system. Closing any descriptor of the file releases those of the whole process, so the lock is taken before the store is
/// opened, and released after it is closed.
package struct StoreLock: ~Copyable {
    private let descriptor: CInt

    /// Takes the lock of the store at `path`, which is created, empty, if it is missing.
    ///
    /// - Throws: ``StoreError``, `locked` if another process holds it.
    package init(path: String) throws(StoreError) {
        descriptor = try Self.acquire(path)
    }

    deinit { Glibc.close(descriptor) }

    /// Releases the lock before the end of the value's scope.
    package consuming func release() {}

    private static func acquire(_ path: String) throws(StoreError) -> CInt {
        try StoreFile(path: path).prepare()
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw StoreError(.other, "\(path): cannot be opened: \(ErrorText.last)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(descriptor)
            throw StoreError(
                .locked, "\(path): another tminus uses this store; stop it, or give this one another store with --store"
            )
        }
        return descriptor
    }
}
