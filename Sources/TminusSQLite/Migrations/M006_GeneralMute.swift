import GRDB

/// The silence of everything: one row, or none.
enum M006 {
    static let name = "M006"

    // `mute` is `OverridesText`, with the silence and nothing else in it.
    static func apply(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE general_mute (
                    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
                    mute TEXT NOT NULL
                ) STRICT;
                """)
    }
}
