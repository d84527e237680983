import GRDB

/// Whether the definition of a schedule was disabled when its state was written. Of the rows before, nothing is known: none was.
enum M003 {
    static let name = "M003_Disabled"

    /// Adds the column.
    static func apply(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE schedule ADD COLUMN
                    disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled = 0 OR disabled = 1)
                """)
    }
}
