import Glibc
import TminusCore
import TminusSystem

/// The file of a store before SQLite opens it.
struct StoreFile {
    /// The path of the file.
    let path: String

    /// Creates the file if it is missing, for its owner only. SQLite gives its `-wal` and `-shm` files the same mode.
    ///
    /// An existing file is not opened here, because closing it would release the locks of other connections in this
    /// process (fcntl(2), "Advisory record locking").
    func prepare() throws(StoreError) {
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            // A umask can only remove mode bits, and an owner without write permission could not use the file.
            fchmod(descriptor, 0o600)
            Glibc.close(descriptor)
            return
        }
        guard errno == EEXIST else { throw refusal(errno) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw refusal(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .notFile(path)
        }
        guard access(path, R_OK | W_OK) == 0 else { throw refusal(errno) }
        guard access(directory, W_OK | X_OK) == 0 else { throw refusal(errno) }
    }

    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func refusal(_ code: CInt) -> StoreError {
        switch code {
        case EACCES, EPERM, EROFS:
            StoreError(
                .readOnly,
                "\(path): cannot be written (\(text(code))); give this user write access to it and to its directory")
        case ENOSPC, EDQUOT:
            StoreError(.full, "\(path): cannot be created: \(text(code)); free space and start again")
        case ENOENT:
            StoreError(.other, "\(path): its directory does not exist; create it, or choose another state directory")
        default:
            StoreError(.other, "\(path): cannot be opened: \(text(code))")
        }
    }

    private func text(_ code: CInt) -> String {
        ErrorText.of(code)
    }
}
