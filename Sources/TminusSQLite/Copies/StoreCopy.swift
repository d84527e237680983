import GRDB
import Glibc
import TminusCore
import TminusSystem

/// Copies a store into another file by `VACUUM INTO` (sqlite.org/lang_vacuum.html), with or without a daemon that uses it.
///
/// Copying the file itself would miss what is still in the write-ahead log, or be half of two states.
struct StoreCopy {
    /// The path of the store.
    let source: String
    /// The path of the copy. What is there is replaced.
    let target: String

    /// Writes the copy, readable by its owner only, flushes it to the disk and checks it. Nothing is left of a copy that
    /// fails.
    func write(_ db: Database) throws(StoreError) {
        let needed = try size(db)
        let room = DiskRoom(at: directory)
        if let room, room.bytes < needed { throw noRoom(needed, room) }
        unlink(target)
        let descriptor = open(target, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                errno == EACCES || errno == EROFS ? .readOnly : .other,
                "\(target): the copy of the store cannot be made: \(ErrorText.last)")
        }
        defer { close(descriptor) }
        do {
            do {
                try db.execute(sql: "VACUUM INTO ?", arguments: [target])
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                throw noRoom(needed, DiskRoom(at: directory))
            }
            guard fsync(descriptor) == 0 else {
                throw StoreError(.other, "\(target): cannot be written: \(ErrorText.last)")
            }
            try Self.check(target)
        } catch {
            unlink(target)
            throw StoreError(error, path: source)
        }
    }

    /// Checks a copy that no process has open: it is a whole database. Values that a column does not allow pass, because a
    /// daemon sets such rows aside.
    static func check(_ path: String) throws(StoreError) {
        do {
            let found = try ClosedStore(path: path).read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
            guard let first = problems(in: found).first else { return }
            throw StoreError(.damaged, "\(path): is damaged: \(first)")
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The problems in the answer of `integrity_check` or `quick_check`, without those of single values.
    static func problems(in answer: [String]) -> [String] {
        answer.filter { $0 != "ok" && !$0.contains(" value in ") && !$0.hasPrefix("CHECK constraint failed in ") }
    }

    /// The most bytes that the copy takes.
    private func size(_ db: Database) throws(StoreError) -> UInt64 {
        do {
            func number(_ name: String) throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
            let pages = max(0, try number("page_count") - number("freelist_count"))
            return UInt64(pages * max(0, try number("page_size")))
        } catch {
            throw StoreError(error, path: source)
        }
    }

    private var directory: String { ParentDirectory.of(target) }

    private func noRoom(_ needed: UInt64, _ room: DiskRoom?) -> StoreError {
        StoreError(
            .full,
            """
            \(target): no room for a copy of the store: it needs \(needed) bytes, and \
            \(room.map { "\($0.bytes)" } ?? "fewer") are free in \(directory); free space and try again
            """)
    }
}

/// A store that no process has open, for reading. No file is created beside it (sqlite.org/uri.html#uriimmutable).
struct ClosedStore {
    /// The path of the file.
    let path: String

    /// Runs a query.
    func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
        _ = LibrarySettings.inForce
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: Self.address(of: path), configuration: configuration)
        let value = try queue.inDatabase(query)
        try queue.close()
        return value
    }

    /// The address of a file that is opened as immutable, with special characters escaped.
    static func address(of path: String) -> String {
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(escaped)?immutable=1"
    }
}
