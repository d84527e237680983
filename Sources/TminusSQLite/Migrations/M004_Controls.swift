import GRDB

/// What people do with definitions (pauses, laps, what they have said), notes of what is not sent, and definitions without a file.
enum M004 {
    static let name = "M004"

    /// Rebuilds `schedule`, because SQLite cannot change a CHECK; it has a row for each definition and no history.
    static func apply(_ db: Database) throws {
        try db.execute(sql: schedule + move + omission + adHoc)
    }

    // `added` and `laps` are nanoseconds, the laps with commas between them; `overrides` is `OverridesText`.
    private static let schedule = """
        CREATE TABLE schedule_new (
            definition TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind = 'event' OR kind = 'timer' OR kind = 'stopwatch'),
            fingerprint TEXT NOT NULL,
            leads TEXT NOT NULL,
            phase TEXT NOT NULL CHECK (
                phase = 'armed' OR phase = 'idle' OR phase = 'paused' OR phase = 'acting' OR phase = 'expired'
            ),
            "cursor" INTEGER NOT NULL,
            start INTEGER,
            deadline INTEGER,
            occurrences INTEGER NOT NULL CHECK (occurrences >= 0),
            removed INTEGER,
            held_since INTEGER,
            added INTEGER NOT NULL CHECK (added >= 0),
            laps TEXT,
            overrides TEXT,
            CHECK ((phase = 'paused') = (held_since IS NOT NULL)),
            CHECK (laps IS NULL OR kind = 'stopwatch')
        ) STRICT;

        """

    private static let move = """
        INSERT INTO schedule_new (
            definition, kind, fingerprint, leads, phase, "cursor", start, deadline, occurrences, removed, added
        )
        SELECT definition, kind, fingerprint, leads, phase, "cursor", start, deadline, occurrences, removed, 0
        FROM schedule;
        DROP TABLE schedule;
        ALTER TABLE schedule_new RENAME TO schedule;
        CREATE INDEX schedule_removed ON schedule (removed) WHERE removed IS NOT NULL;

        """

    private static let omission = """
        ALTER TABLE omission ADD COLUMN note TEXT;

        """

    private static let adHoc = """
        CREATE TABLE ad_hoc (
            definition TEXT NOT NULL PRIMARY KEY,
            document BLOB NOT NULL,
            author TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        """
}
