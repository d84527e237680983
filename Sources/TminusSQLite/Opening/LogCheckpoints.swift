import GRDB
import GRDBSQLite

/// Moves the write-ahead log of a connection into the file between its transactions.
///
/// SQLite does this by itself at the end of the commit that takes the log to 1,000 pages
/// (sqlite.org/wal.html#automatic_checkpoint). That commit takes 30 to 80 ms longer, and whatever is due at that moment
/// is late by that much. Here the commit is answered first, and its deliveries go out meanwhile. Only the next commit may
/// have to wait.
enum LogCheckpoints {
    /// The number of pages after which a checkpoint is made, the same as SQLite's.
    private static let interval = 1000

    /// Ends the checkpoints that SQLite makes by itself. From now on the connection needs ``makeIfDue(_:)``.
    static func takeOver(_ db: Database) throws {
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        // What a killed process left in the log counts for no transaction of this connection.
        _ = try? db.checkpoint(.passive)
    }

    /// Makes a checkpoint if the transactions since the last one have written enough. Call this on the queue of the connection,
    /// outside of a transaction.
    ///
    /// Like SQLite, this does not report a failure: the log keeps everything and grows, and the checkpoint 1,000 pages later
    /// moves it. A log that keeps growing is a finding of `doctor`.
    static func makeIfDue(_ db: Database) {
        // A verb may still be queued when the store is closed.
        guard let connection = db.sqliteConnection else { return }
        // sqlite.org/c3ref/c_dbstatus_options.html#sqlitedbstatuscachewrite
        var (written, unused): (CInt, CInt) = (0, 0)
        let status = SQLITE_DBSTATUS_CACHE_WRITE
        guard sqlite3_db_status(connection, status, &written, &unused, 0) == SQLITE_OK, written >= interval else {
            return
        }
        _ = sqlite3_db_status(connection, status, &written, &unused, 1)
        _ = try? db.checkpoint(.passive)
    }
}
