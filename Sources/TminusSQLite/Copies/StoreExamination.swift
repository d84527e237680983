import GRDB
import Glibc
package import TminusCore
import TminusSystem

/// What a look at the file of a store finds, with or without a daemon that uses it. It changes nothing and creates no file.
package struct StoreExamination: Sendable, Hashable {
    /// What the file is.
    package enum Outcome: Sendable, Hashable {
        /// There is none yet.
        case absent
        /// A whole store of this schema, 0 if it is empty; `isCurrent` if this program has no newer one.
        case whole(schema: Int, isCurrent: Bool)
        /// It has a write-ahead log without the index beside it, as a copy has. Reading it would create the index.
        case unchecked
        /// It is not a whole store, for this reason.
        case damaged(String)
        /// It cannot be read, or another program or version wrote it.
        case refused(StoreError)
    }

    /// What the file is.
    package var outcome: Outcome
    /// The size of the write-ahead log, in bytes.
    package var logSize: UInt64

    /// The given result.
    package init(_ outcome: Outcome, logSize: UInt64 = 0) {
        self.outcome = outcome
        self.logSize = logSize
    }

    /// Looks at the store at `path`: its schema and the check of its pages (sqlite.org/pragma.html#pragma_quick_check). Values
    /// that a column does not allow pass, because a daemon sets such rows aside. Blocks meanwhile.
    package init(of path: String) {
        self.init(of: path, .standard)
    }

    /// Looks at a store as a program with these migrations does.
    init(of path: String, _ migrations: Migrations) {
        var status = stat()
        let log = FilePlacing.size(of: "\(path)-wal") ?? 0
        guard stat(path, &status) == 0 else {
            self.init(errno == ENOENT || errno == ENOTDIR ? .absent : .refused(.closed(path)))
            return
        }
        // Opening a named pipe would wait for its other end.
        guard status.st_mode & S_IFMT == S_IFREG else {
            self.init(.refused(.notFile(path)))
            return
        }
        guard access(path, R_OK) == 0 else {
            self.init(.refused(.closed(path)))
            return
        }
        guard FileIdentity("\(path)-wal") == nil || FileIdentity("\(path)-shm") != nil else {
            self.init(.unchecked, logSize: log)
            return
        }
        self.init(Self.read(path, migrations), logSize: log)
    }

    private static func read(_ path: String, _ migrations: Migrations) -> Outcome {
        do throws(StoreError) {
            let queue = try StoreOpening(path: path, busyTimeout: .seconds(5), migrations: migrations).openToRead(
                ofAnySchema: true)
            do {
                let (schema, found) = try queue.inDatabase { db in
                    (try migrations.schema(of: db), try String.fetchAll(db, sql: "PRAGMA quick_check(20)"))
                }
                try queue.close()
                if let first = StoreCopy.problems(in: found).first { return .damaged(first) }
                return .whole(schema: schema, isCurrent: schema == migrations.schema)
            } catch {
                throw StoreError(error, path: path)
            }
        } catch {
            return error.kind == .damaged ? .damaged(error.withoutRemedy(of: path).message) : .refused(error)
        }
    }
}
