import GRDB

/// The first schema: schedules, the outbox, sinks, kept files, definitions without a file, damaged rows. Instants are nanoseconds
/// since the Unix epoch.
enum M001 {
    static let name = "M001_Schema"

    /// Creates the tables and marks the file as a store of tminus, in one transaction.
    static func apply(_ db: Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
        try db.execute(
            sql: schedule + sink + firing + delivery + deliveryIndexes + attempt + omission + control + others)
    }

    // Tables that are written often have no CHECK with a list (`IN`), because SQLite builds a table of the words at
    // every write (OpenEphemeral in EXPLAIN). `added` and `laps` are nanoseconds, the laps separated by commas;
    // `overrides` is `OverridesText`. The index of phase `acting` is usually empty, and then no search for ended
    // expiries is needed.
    private static let schedule = """
        CREATE TABLE schedule (
            definition TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind = 'event' OR kind = 'timer' OR kind = 'stopwatch'),
            fingerprint INTEGER NOT NULL,
            leads INTEGER NOT NULL,
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
        CREATE INDEX schedule_removed ON schedule (removed) WHERE removed IS NOT NULL;
        CREATE INDEX schedule_acting ON schedule (definition) WHERE phase = 'acting';

        """

    // `title`: the text for display. `retired`: since when no file declares the sink; NULL while it is in force.
    private static let sink = """
        CREATE TABLE sink (
            "key" TEXT NOT NULL PRIMARY KEY,
            name TEXT,
            kind TEXT NOT NULL,
            title TEXT NOT NULL,
            spec TEXT NOT NULL,
            retired INTEGER
        ) STRICT;

        """

    // `kind` has no CHECK, because rebuilding a table with a long history for a new word is expensive. One index serves
    // both the key of a firing and the history of a definition.
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
            on_failure TEXT
        ) STRICT;
        CREATE UNIQUE INDEX firing_definition ON firing (definition, occurrence, action);
        CREATE INDEX firing_created ON firing (created);

        """

    // `number` increases with every delivery written. It orders the deliveries of one definition to one sink, and
    // breaks ties between equal instants. The id is a hash of the firing's key and the sink, so a unique index of
    // (firing, sink) is enough; an index of hashes would write to another page for each delivery. `tries` and `since`
    // restart when a user retries a dead delivery; `attempt` does not. `started`, `reason` and `report` are those of
    // the last attempt; earlier ones are rows of `attempt`. `interrupted` counts the consecutive attempts during which
    // the process ended. `withdrawn`: why a claimed delivery must not be attempted again.
    private static let delivery = """
        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            firing INTEGER NOT NULL REFERENCES firing (id),
            definition TEXT NOT NULL,
            occurrence INTEGER NOT NULL,
            sink TEXT NOT NULL,
            state TEXT NOT NULL,
            overlap TEXT NOT NULL CHECK (
                overlap = 'queue' OR overlap = 'skip' OR overlap = 'allow' OR overlap = 'replace'
            ),
            attempt INTEGER NOT NULL CHECK (attempt >= 0),
            tries INTEGER NOT NULL CHECK (tries >= 0),
            interrupted INTEGER NOT NULL DEFAULT 0 CHECK (interrupted >= 0),
            since INTEGER NOT NULL,
            expires INTEGER,
            next_attempt INTEGER,
            started INTEGER,
            claim_token TEXT,
            claim_owner TEXT,
            claim_until INTEGER,
            withdrawn TEXT CHECK (withdrawn IS NULL OR state = 'claimed'),
            reason TEXT,
            report TEXT,
            created INTEGER NOT NULL,
            settled INTEGER,
            CHECK ((next_attempt IS NULL) = (settled IS NOT NULL)),
            CHECK ((state = 'claimed') = (claim_token IS NOT NULL)),
            CHECK ((state = 'claimed') = (claim_owner IS NOT NULL)),
            CHECK ((state = 'claimed') = (claim_until IS NOT NULL)),
            CHECK (
                CASE WHEN settled IS NULL THEN state = 'pending' OR state = 'claimed' OR state = 'queued'
                WHEN state = 'delivered' THEN 1
                ELSE reason IS NOT NULL
                    AND (state = 'dead' OR state = 'expired' OR state = 'skipped' OR state = 'discarded')
                END
            )
        ) STRICT;

        """

    // Delivered rows are in none of the partial indexes, so the cost of claiming does not depend on their number.
    // Claims that a later delivery may replace have an index, because they are queried often. Claims are released
    // through the index of open deliveries, which contains their ends. The indexes of retried and dead deliveries contain
    // what is counted of them; few deliveries are in them.
    private static let deliveryIndexes = """
        CREATE UNIQUE INDEX delivery_firing ON delivery (firing, sink);
        CREATE INDEX delivery_pending ON delivery (sink, next_attempt, number) WHERE state = 'pending';
        CREATE INDEX delivery_queued ON delivery (sink, definition, number) WHERE state = 'queued';
        CREATE INDEX delivery_open ON delivery (definition, sink, number, claim_until) WHERE settled IS NULL;
        CREATE INDEX delivery_retrying ON delivery (sink, definition, next_attempt) WHERE state = 'pending' AND tries > 0;
        CREATE INDEX delivery_dead ON delivery (sink, definition, settled) WHERE state = 'dead';
        CREATE INDEX delivery_closed ON delivery (id) WHERE settled IS NOT NULL AND state <> 'delivered';
        CREATE INDEX delivery_replaceable ON delivery (claim_owner) WHERE state = 'claimed' AND overlap = 'replace';

        """

    private static let attempt = """
        CREATE TABLE attempt (
            delivery INTEGER NOT NULL REFERENCES delivery (number),
            number INTEGER NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            reason TEXT,
            report TEXT,
            PRIMARY KEY (delivery, number)
        ) STRICT, WITHOUT ROWID;

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
            note TEXT,
            UNIQUE (definition, occurrence, action, due, reason)
        ) STRICT;
        CREATE INDEX omission_recorded ON omission (recorded);

        """

    // The controls that users applied. `definition` is empty for a control of all definitions.
    private static let control = """
        CREATE TABLE control (
            id INTEGER PRIMARY KEY,
            definition TEXT NOT NULL,
            control TEXT NOT NULL,
            author TEXT NOT NULL,
            at INTEGER NOT NULL,
            note TEXT,
            UNIQUE (definition, at, control)
        ) STRICT;
        CREATE INDEX control_at ON control (at);

        """

    // The last good content of each definition file, by directory and path; definitions without a file; the general
    // mute, in at most one row, whose `mute` is an `OverridesText` with only the mute. `damaged`: rows that could not be
    // read, with the table and what identified them there, and their columns as SQL literals.
    private static let others = """
        CREATE TABLE kept_file (
            id INTEGER PRIMARY KEY,
            root TEXT NOT NULL,
            path TEXT NOT NULL,
            content BLOB NOT NULL,
            digest TEXT NOT NULL,
            written INTEGER NOT NULL,
            UNIQUE (root, path)
        ) STRICT;
        CREATE TABLE ad_hoc (
            definition TEXT NOT NULL PRIMARY KEY,
            document BLOB NOT NULL,
            author TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE general_mute (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            mute TEXT NOT NULL
        ) STRICT;
        CREATE TABLE damaged (
            id INTEGER PRIMARY KEY,
            "table" TEXT NOT NULL,
            "row" TEXT NOT NULL,
            reason TEXT NOT NULL,
            content TEXT NOT NULL,
            noticed INTEGER NOT NULL
        ) STRICT;
        """
}
