internal import CSQLiteSettings

/// Settings for all connections of the process, applied once.
package enum LibrarySettings {
    /// Applies the settings. Has no effect if SQLite is already in use.
    package static let inForce: Bool = stopCountingMemory && keepStatementJournalsInMemory

    /// Nothing reads the count of the memory that SQLite uses, and counting takes a lock at every allocation, several
    /// times per statement.
    private static let stopCountingMemory = tminus_sqlite_stop_counting_memory() == 0

    /// A statement journal has the former content of each page that a statement of many rows changes, to undo this
    /// statement alone. Above 64 KiB SQLite writes it to a temporary file: half of all system calls of a turn that fires
    /// 500 timers, and a failure if that file system is full. The journal needs as much memory as the pages of 4 KiB that a
    /// statement changes: those of the open deliveries at most, and of a whole table in a migration.
    private static let keepStatementJournalsInMemory = tminus_sqlite_keep_statement_journals_in_memory() == 0
}
