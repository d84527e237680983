import GRDB

/// Claims are in no index of their own but those that a later delivery may replace, which are asked for often.
///
/// Each delivery went into that index and out of it again, for who gives claims back at the start and once an hour. Now that reads
/// the index of what is not over, which has the ends of claims, so that no row is looked at in vain.
enum M008 {
    static let name = "M008"

    /// Replaces the indexes.
    static func apply(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP INDEX delivery_claimed;
                DROP INDEX delivery_open;
                CREATE INDEX delivery_open ON delivery (definition, sink, number, claim_until) WHERE settled IS NULL;
                CREATE INDEX delivery_replaceable ON delivery (claim_owner) WHERE state = 'claimed' AND overlap = 'replace';
                """)
        try db.execute(sql: withdrawn + retired)
    }

    // Why a claimed delivery is not to be attempted again: its definition was changed meanwhile.
    private static let withdrawn = """
        ALTER TABLE delivery ADD COLUMN withdrawn TEXT CHECK (withdrawn IS NULL OR state = 'claimed');

        """

    // `retired`: since when a sink is not in force. Nothing reads the revision any more.
    private static let retired = """
        ALTER TABLE sink ADD COLUMN retired INTEGER;
        UPDATE sink SET retired = 0 WHERE live = 0;
        ALTER TABLE sink DROP COLUMN live;
        ALTER TABLE sink DROP COLUMN revision;
        """
}
