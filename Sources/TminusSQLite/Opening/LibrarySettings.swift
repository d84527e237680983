internal import CSQLiteSettings

/// What is set for all connections of the process, once.
enum LibrarySettings {
    /// Stops SQLite counting the memory it uses, which takes a lock at every allocation, several for each statement, and which nobody
    /// asks for. Where SQLite is in use already, nothing changes.
    static let inForce: Bool = tminus_sqlite_stop_counting_memory() == 0
}
