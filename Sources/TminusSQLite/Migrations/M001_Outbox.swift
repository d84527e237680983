import GRDB

/// The first schema: schedules, the outbox and the sinks. Instants are nanoseconds since the Unix epoch.
enum M001 {
    static let name = "M001"

    /// Creates the tables and marks the file as a store of tminus, in one transaction.
    static func apply(_ db: Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
        try db.execute(sql: schedule + sink + firing + delivery + omission)
    }

    private static let schedule = """
        CREATE TABLE schedule (
            definition TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('event', 'timer')),
            fingerprint TEXT NOT NULL,
            leads TEXT NOT NULL,
            phase TEXT NOT NULL CHECK (phase IN ('idle', 'armed', 'acting', 'expired')),
            "cursor" INTEGER NOT NULL,
            start INTEGER,
            deadline INTEGER,
            occurrences INTEGER NOT NULL CHECK (occurrences >= 0),
            removed INTEGER
        ) STRICT;
        CREATE INDEX schedule_removed ON schedule (removed) WHERE removed IS NOT NULL;

        """

    private static let sink = """
        CREATE TABLE sink (
            "key" TEXT NOT NULL PRIMARY KEY,
            revision TEXT NOT NULL,
            name TEXT,
            kind TEXT NOT NULL,
            spec TEXT NOT NULL,
            live INTEGER NOT NULL CHECK (live IN (0, 1))
        ) STRICT;

        """

    // `kind` is not checked here: a table with a long history is expensive to rebuild for a new word. The key begins with
    // the occurrence, so that new firings go to the end of its index and not all over a long history.
    private static let firing = """
        CREATE TABLE firing (
            id INTEGER PRIMARY KEY,
            definition TEXT NOT NULL,
            occurrence INTEGER NOT NULL,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            due INTEGER NOT NULL,
            payload TEXT NOT NULL,
            created INTEGER NOT NULL,
            UNIQUE (occurrence, definition, action)
        ) STRICT;
        CREATE INDEX firing_created ON firing (created);

        """

    // `number` counts up as deliveries are written and breaks ties between equal instants. The history is in none of the
    // partial indexes, so claiming costs the same with a million settled deliveries as with none.
    private static let delivery = """
        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            firing INTEGER NOT NULL REFERENCES firing (id),
            sink TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'claimed', 'delivered', 'dead')),
            attempt INTEGER NOT NULL CHECK (attempt >= 0),
            next_attempt INTEGER,
            claim_token TEXT,
            claim_owner TEXT,
            claim_until INTEGER,
            reason TEXT,
            created INTEGER NOT NULL,
            settled INTEGER,
            CHECK ((state IN ('pending', 'claimed')) = (next_attempt IS NOT NULL)),
            CHECK ((state = 'claimed') = (claim_token IS NOT NULL)),
            CHECK ((state = 'claimed') = (claim_owner IS NOT NULL)),
            CHECK ((state = 'claimed') = (claim_until IS NOT NULL)),
            CHECK ((state IN ('delivered', 'dead')) = (settled IS NOT NULL)),
            CHECK (state <> 'dead' OR reason IS NOT NULL)
        ) STRICT;
        CREATE INDEX delivery_firing ON delivery (firing);
        CREATE INDEX delivery_pending ON delivery (sink, next_attempt, number) WHERE state = 'pending';
        CREATE INDEX delivery_claimed ON delivery (sink, claim_until) WHERE state = 'claimed';

        """

    private static let omission = """
        CREATE TABLE omission (
            id INTEGER PRIMARY KEY,
            definition TEXT NOT NULL,
            occurrence INTEGER NOT NULL,
            action TEXT NOT NULL,
            due INTEGER NOT NULL,
            reason TEXT NOT NULL,
            count INTEGER NOT NULL,
            recorded INTEGER NOT NULL,
            UNIQUE (definition, occurrence, action, due, reason)
        ) STRICT;
        CREATE INDEX omission_recorded ON omission (recorded);

        """
}
