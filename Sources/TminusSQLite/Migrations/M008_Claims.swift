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
                CREATE INDEX delivery_open ON delivery (sink, definition, number, claim_until) WHERE settled IS NULL;
                CREATE INDEX delivery_replaceable ON delivery (claim_owner) WHERE state = 'claimed' AND overlap = 'replace';
                """)
    }
}
