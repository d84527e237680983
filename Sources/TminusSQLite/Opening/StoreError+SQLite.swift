import GRDB
import Glibc
import TminusCore
import TminusStorage

extension StoreError {
    /// The error of a verb on the store at `path`, with the remedy. It contains no stored values.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(error, path: path)
        case let error as UnreadableRow:
            self = .damaged(path, "\(error.what) cannot be read")
        default:
            // Usually a column has another type than the statement expects (RowDecodingError).
            self = .damaged(path, "a row cannot be read")
        }
    }

    private init(_ error: DatabaseError, path: String) {
        let text = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_FULL:
            self = .full(path)
        case .SQLITE_IOERR where Self.isFull(path):
            // If the disk is full, growing the shared-memory file fails with an I/O error.
            self = .full(path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .readOnly,
                "\(path): cannot be written (\(text)); give this user write access to it and to its directory")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .locked,
                "\(path): another program holds it (`fuser -v '\(path)'` names it)")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
            // What this program writes violates no constraint, unless a row that it changes did before.
            self = .damaged(path, text)
        case .SQLITE_CANTOPEN:
            self.init(
                .other,
                "\(path): this file or one beside it cannot be opened (\(text)); check the permissions of the directory, "
                    + "the disk and `ulimit -n`")
        case .SQLITE_IOERR:
            self.init(.other, "\(path): the disk cannot be read or written (\(text)); see the kernel's log")
        case .SQLITE_ERROR where text.hasPrefix("no such table") || text.hasPrefix("no such column"):
            self = .damaged(path, text)
        default:
            self.init(.other, "\(path): SQLite error \(error.extendedResultCode.rawValue): \(text)")
        }
    }

    private static func full(_ path: String) -> StoreError {
        StoreError(
            .full, "\(path): no room on the disk; free space")
    }

    private static func damaged(_ path: String, _ what: String) -> StoreError {
        StoreError(.damaged, "\(path): is damaged: \(what)\(remedy(of: path))")
    }

    private static func remedy(of path: String) -> String {
        """
        ; stop tminus and restore a backup, or move the file away; \
        `sqlite3 '\(path)' .recover` writes out what can be read
        """
    }

    /// The same error without the remedy for a damaged store, for a finding with a remedy of its own.
    func withoutRemedy(of path: String) -> StoreError {
        let remedy = Self.remedy(of: path)
        return message.hasSuffix(remedy) ? StoreError(kind, String(message.dropLast(remedy.count))) : self
    }

    private static func isFull(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_bavail == 0
    }
}
