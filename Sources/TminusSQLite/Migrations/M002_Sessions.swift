import GRDB

/// Browsers that are signed in. `digest`: the SHA-256 of the browser's secret; `token`: that of the token with which somebody signed in,
/// NULL after a code. There are few rows, and they change seldom.
enum M002 {
    static let name = "M002_Sessions"

    /// Creates the table.
    static func apply(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE session (
                    digest TEXT NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    token TEXT,
                    level TEXT NOT NULL CHECK (level = 'read' OR level = 'control' OR level = 'edit'),
                    address TEXT NOT NULL,
                    made INTEGER NOT NULL,
                    used INTEGER NOT NULL
                ) STRICT
                """)
    }
}
