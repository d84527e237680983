import GRDB
import TminusCore
import TminusSystem

/// Opens the file of a store: checks its origin before writing, applies the settings, migrates. An older store is copied
/// before it is migrated (``MigrationCopies``).
struct StoreOpening {
    /// The path of the file.
    let path: String
    /// How long to wait for another program.
    let busyTimeout: Duration
    /// The migrations of this program.
    var migrations = Migrations.standard
    /// Whether an older store is copied before it is migrated.
    var copiesBeforeMigration = true

    /// The open connection. A file that is not a store, or that a newer version wrote, is not changed.
    func open() throws(StoreError) -> DatabaseQueue {
        try StoreFile(path: path).prepare()
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { db in
                try refuseForeign(db)
                try secure(db)
            }
            try migrate(queue)
            try queue.inDatabase(LogCheckpoints.takeOver)
            return queue
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Each migration is one transaction, so a process that is killed leaves the schema before it or after it.
    private func migrate(_ queue: DatabaseQueue) throws {
        let migrator = migrations.migrator
        guard try queue.inDatabase({ try !migrator.hasCompletedMigrations($0) }) else { return }
        try queue.inDatabase { db in
            if copiesBeforeMigration, let step = try migrations.pending(db) {
                try MigrationCopies(path: path).make(before: step, db)
            }
        }
        try migrator.migrate(queue)
    }

    /// A read-only connection, which creates no files. If no process has the store open, it is opened as immutable
    /// (sqlite.org/uri.html#uriimmutable), because reading a write-ahead log needs the files beside it.
    ///
    /// - Parameter ofAnySchema: Whether an older schema is not refused.
    func openToRead(ofAnySchema: Bool = false) throws(StoreError) -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        let file = FileIdentity("\(path)-wal") == nil ? ClosedStore.address(of: path) : path
        do {
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            let migrator = migrations.migrator
            try queue.inDatabase { db in
                try refuseForeign(db)
                guard try ofAnySchema || migrator.hasCompletedMigrations(db) else {
                    if try migrations.schema(of: db) == 0 {
                        throw StoreError(
                            .other,
                            "\(path): is empty: the state was lost, or never written; restore a backup, or name another store"
                        )
                    }
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

    private var configuration: Configuration {
        _ = LibrarySettings.inForce
        var configuration = Configuration()
        configuration.label = "tminus.store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(busyTimeout.nanoseconds) / 1e9)
        return configuration
    }

    /// Reads the header and the schema, which fails for a damaged file, and refuses the files of other programs.
    func refuseForeign(_ db: Database) throws {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE '%grdb_migrations%'")
        // If the first migration was interrupted, the file has no mark yet and only the migrator's table.
        if application != Migrations.applicationID, application != 0 || tables != 0 {
            throw StoreError(
                .damaged,
                "\(path): is a database, but not a store of tminus; choose another state directory or move it away")
        }
        if try migrations.isFromBeforeFirstRelease(db) {
            throw StoreError(
                .tooOld,
                """
                \(path): was written by a tminus from before the first release, and no release reads that; \
                remove the file with its '-wal' and '-shm', or choose another state directory with --state
                """)
        }
        if try migrations.migrator.hasBeenSuperseded(db) { throw tooNew }
    }

    /// The refusal of a store that a newer tminus wrote. It names the copy from before the upgrade, if there is one.
    private var tooNew: StoreError {
        let way =
            MigrationCopies(path: path).newest(forSchema: migrations.schema).map {
                "; to go back, restore the copy from before the upgrade with 'tminus restore --store \($0)'"
            } ?? ", or choose another state directory"
        return StoreError(.tooNew, "\(path): was written by a newer tminus; run that one\(way)")
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
