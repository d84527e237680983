import GRDB
import TminusCore
import TminusSystem

/// Opens the file of a store: checks its origin before writing, applies the settings, migrates.
struct StoreOpening {
    /// The path of the file.
    let path: String
    /// How long to wait for another program.
    let busyTimeout: Duration

    /// The open connection. A file that is not a store, or that a newer version wrote, is not changed.
    func open() throws(StoreError) -> DatabaseQueue {
        try StoreFile(path: path).prepare()
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { db in
                try refuseForeign(db)
                try secure(db)
            }
            let migrator = Migrations.migrator
            if try queue.inDatabase({ try !migrator.hasCompletedMigrations($0) }) { try migrator.migrate(queue) }
            return queue
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A read-only connection, which creates no files. If no process has the store open, it is opened as immutable
    /// (sqlite.org/uri.html#uriimmutable), because reading a write-ahead log needs the files beside it.
    func openToRead() throws(StoreError) -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        let file = FileIdentity("\(path)-wal") == nil ? "file:\(Self.escaped(path))?immutable=1" : path
        do {
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            let migrator = Migrations.migrator
            try queue.inDatabase { db in
                try refuseForeign(db)
                guard try migrator.hasCompletedMigrations(db) else {
                    throw StoreError(
                        .other,
                        "\(path): was written by an older tminus; start the daemon once, which brings it up to date")
                }
            }
            return queue
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A path as a part of a URI, with special characters escaped.
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }

    private var configuration: Configuration {
        _ = LibrarySettings.inForce
        var configuration = Configuration()
        configuration.label = "tminus.store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(busyTimeout.nanoseconds) / 1e9)
        return configuration
    }

    /// Reads the header and the schema, which fails for a damaged file, and refuses the files of other programs.
    private func refuseForeign(_ db: Database) throws {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE '%grdb_migrations%'")
        // If the first migration was interrupted, the file has no mark yet and only the migrator's table.
        if application != Migrations.applicationID, application != 0 || tables != 0 {
            throw StoreError(
                .damaged,
                "\(path): is a database, but not a store of tminus; choose another state directory or move it away")
        }
        if try Migrations.isFromBeforeFirstRelease(db) {
            throw StoreError(
                .tooOld,
                """
                \(path): was written by a tminus from before the first release, and no release reads that; \
                remove the file with its '-wal' and '-shm', or choose another state directory with --state
                """)
        }
        if try Migrations.migrator.hasBeenSuperseded(db) {
            throw StoreError(
                .tooNew, "\(path): was written by a newer tminus; run that one, or choose another state directory")
        }
    }

    /// Sets the durability and checks that it is in force: the log is flushed at every commit, so a verb's result
    /// survives a power cut (sqlite.org/pragma.html#pragma_synchronous).
    private func secure(_ db: Database) throws {
        let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // After a burst the log is truncated to this size, so that it does not keep the disk space forever.
        try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let foreignKeys = try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
        guard journal == "wal", synchronous == 2, foreignKeys == 1 else {
            throw StoreError(
                .other,
                "\(path): SQLite cannot keep a write-ahead log here; the state directory must be on a local file system"
            )
        }
    }
}
