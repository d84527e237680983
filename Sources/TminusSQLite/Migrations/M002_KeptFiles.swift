import GRDB

/// The last good content of each definition file, by directory and path; `written` is when it was kept.
enum M002 {
    static let name = "M002"

    /// Creates the table.
    static func apply(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE kept_file (
                    id INTEGER PRIMARY KEY,
                    root TEXT NOT NULL,
                    path TEXT NOT NULL,
                    content BLOB NOT NULL,
                    digest TEXT NOT NULL,
                    written INTEGER NOT NULL,
                    UNIQUE (root, path)
                ) STRICT;
                """)
    }
}
