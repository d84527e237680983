internal import CSQLiteSettings

/// Settings for all connections of the process, applied once.
enum LibrarySettings {
    /// Stops SQLite from counting the memory it uses. Nothing reads the count, and it takes a lock at every allocation,
    /// several times per statement. Has no effect if SQLite is already in use.
    static let inForce: Bool = tminus_sqlite_stop_counting_memory() == 0
}
