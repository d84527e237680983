import GRDB

/// New firings and deliveries go to the end of their tables and indexes: the index by delivery id, a hash, is gone.
///
/// Each delivery dirtied another page of that index, which was most of what it cost to record one.
enum M005 {
    static let name = "M005"

    /// Rebuilds the tables with a UNIQUE of their own, which SQLite cannot drop, and what refers to them.
    static func apply(_ db: Database) throws {
        try db.execute(sql: firing + delivery + attempt + rename + indexes)
    }

    private static let firing = """
        CREATE TABLE firing_new (
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
        INSERT INTO firing_new SELECT id, definition, occurrence, action, kind, due, payload, created, on_failure FROM firing;

        """

    // As M003 has it, but for the UNIQUE. The id is a hash of the firing's key and the sink, so (firing, sink) is as unique.
    private static let delivery = """
        CREATE TABLE delivery_new (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            firing INTEGER NOT NULL REFERENCES firing_new (id),
            definition TEXT NOT NULL,
            occurrence INTEGER NOT NULL,
            sink TEXT NOT NULL,
            state TEXT NOT NULL,
            overlap TEXT NOT NULL CHECK (
                overlap = 'queue' OR overlap = 'skip' OR overlap = 'allow' OR overlap = 'replace'
            ),
            attempt INTEGER NOT NULL CHECK (attempt >= 0),
            tries INTEGER NOT NULL CHECK (tries >= 0),
            since INTEGER NOT NULL,
            expires INTEGER,
            next_attempt INTEGER,
            started INTEGER,
            claim_token TEXT,
            claim_owner TEXT,
            claim_until INTEGER,
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
        INSERT INTO delivery_new
        SELECT
            number, id, firing, definition, occurrence, sink, state, overlap, attempt, tries, since, expires, next_attempt,
            started, claim_token, claim_owner, claim_until, reason, report, created, settled
        FROM delivery;

        """

    private static let attempt = """
        CREATE TABLE attempt_new (
            delivery INTEGER NOT NULL REFERENCES delivery_new (number),
            number INTEGER NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            reason TEXT,
            report TEXT,
            PRIMARY KEY (delivery, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO attempt_new SELECT delivery, number, started, ended, outcome, reason, report FROM attempt;

        """

    // What refers to a table goes before it; a new name goes into the references to it.
    private static let rename = """
        DROP TABLE attempt;
        DROP TABLE delivery;
        DROP TABLE firing;
        ALTER TABLE firing_new RENAME TO firing;
        ALTER TABLE delivery_new RENAME TO delivery;
        ALTER TABLE attempt_new RENAME TO attempt;

        """

    // One index for the key of a firing and for the history of a definition. By its id is found what a person may want to move;
    // everything else is looked for (`DeliverySearch`).
    private static let indexes = """
        CREATE UNIQUE INDEX firing_definition ON firing (definition, occurrence, action);
        CREATE INDEX firing_created ON firing (created);
        CREATE UNIQUE INDEX delivery_firing ON delivery (firing, sink);
        CREATE INDEX delivery_pending ON delivery (sink, next_attempt, number) WHERE state = 'pending';
        CREATE INDEX delivery_claimed ON delivery (claim_until) WHERE state = 'claimed';
        CREATE INDEX delivery_queued ON delivery (sink, definition, number) WHERE state = 'queued';
        CREATE INDEX delivery_open ON delivery (sink, definition) WHERE settled IS NULL;
        CREATE INDEX delivery_dead ON delivery (sink) WHERE state = 'dead';
        CREATE INDEX delivery_closed ON delivery (id) WHERE settled IS NOT NULL AND state <> 'delivered';
        """
}
