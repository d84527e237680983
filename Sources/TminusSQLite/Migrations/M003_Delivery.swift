import GRDB

/// Deliveries get an order, an end of their use, attempts that are kept, and the states that go with these (`DeliveryState`).
enum M003 {
    static let name = "M003"

    /// Rebuilds `delivery`, because SQLite cannot change a CHECK.
    static func apply(_ db: Database) throws {
        try db.execute(sql: delivery + move + indexes + attempt + firing)
    }

    // No CHECK has a list (`IN`): SQLite would build a table of its words at every write (OpenEphemeral in EXPLAIN).
    // `number` counts up as deliveries are written: it is the order of those of one definition to one sink, and breaks ties
    // between equal instants. `tries` and `since` begin anew when a person asks for a dead delivery; `attempt` does not.
    // `started`, `reason` and `report` are those of the last attempt; the ones before it are rows of `attempt`.
    private static let delivery = """
        CREATE TABLE delivery_new (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
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

        """

    private static let move = """
        INSERT INTO delivery_new (
            number, id, firing, definition, occurrence, sink, state, overlap, attempt, tries, since, next_attempt,
            claim_token, claim_owner, claim_until, reason, created, settled
        )
        SELECT
            d.number, d.id, d.firing, f.definition, f.occurrence, d.sink, d.state, 'queue', d.attempt, d.attempt,
            d.created, d.next_attempt, d.claim_token, d.claim_owner, d.claim_until, d.reason, d.created, d.settled
        FROM delivery d JOIN firing f ON f.id = d.firing;
        DROP TABLE delivery;
        ALTER TABLE delivery_new RENAME TO delivery;

        """

    // The history is in none of the partial indexes but that of the dead, so claiming costs the same with a million settled
    // deliveries as with none.
    private static let indexes = """
        CREATE INDEX delivery_firing ON delivery (firing);
        CREATE INDEX delivery_pending ON delivery (sink, next_attempt, number) WHERE state = 'pending';
        CREATE INDEX delivery_claimed ON delivery (claim_until) WHERE state = 'claimed';
        CREATE INDEX delivery_queued ON delivery (sink, definition, number) WHERE state = 'queued';
        CREATE INDEX delivery_open ON delivery (sink, definition) WHERE settled IS NULL;
        CREATE INDEX delivery_dead ON delivery (sink) WHERE state = 'dead';

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

    private static let firing = """
        ALTER TABLE firing ADD COLUMN on_failure TEXT;
        CREATE INDEX firing_definition ON firing (definition, occurrence);
        """
}
