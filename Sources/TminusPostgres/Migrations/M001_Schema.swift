/// The first schema: the tables of the SQLite store with the same names, the lease of the daemon, and the number of the schema. Instants are
/// nanoseconds since the Unix epoch; the end of a lease is an instant of the database's clock. Text keys are ordered by their bytes, so that an
/// update of the C library corrupts no index.
///
/// Each delivery writes to `schedule` and `delivery`, so these have none of the checks of SQLite's tables. PostgreSQL reads the text of all
/// checks anew for each statement, which was two thirds of the time of an update. The same code writes both stores, and values are checked when
/// they are read.
enum M001 {
    /// The statements, in their order.
    static let statements = own + schedule + firing + delivery + others

    // `oldest`: the oldest schema whose program may still use the database.
    private static let own = [
        """
        CREATE TABLE meta (
            one boolean PRIMARY KEY CHECK (one),
            schema bigint NOT NULL,
            oldest bigint NOT NULL
        )
        """,
        "INSERT INTO meta (one, schema, oldest) VALUES (true, 0, 1)",
        """
        CREATE TABLE lease (
            role text COLLATE "C" PRIMARY KEY,
            term bigint NOT NULL,
            holder text,
            expires_at timestamptz NOT NULL
        ) WITH (fillfactor = 10)
        """,
        // The last commit of the daemon, so that one whose answer was lost is found again.
        "CREATE TABLE commit_mark (mark bigint PRIMARY KEY, term bigint NOT NULL) WITH (fillfactor = 10)",
        "INSERT INTO lease (role, term, holder, expires_at) VALUES ('schedule', 0, NULL, '-infinity')",
    ]

    private static let schedule = [
        """
        CREATE TABLE schedule (
            definition text COLLATE "C" NOT NULL PRIMARY KEY,
            kind text NOT NULL,
            fingerprint bigint NOT NULL,
            leads bigint NOT NULL,
            phase text NOT NULL,
            "cursor" bigint NOT NULL,
            start bigint,
            deadline bigint,
            occurrences bigint NOT NULL,
            removed bigint,
            held_since bigint,
            added bigint NOT NULL,
            laps text,
            overrides text,
            disabled bigint NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX schedule_removed ON schedule (removed) WHERE removed IS NOT NULL",
        "CREATE INDEX schedule_acting ON schedule (definition) WHERE phase = 'acting'",
        """
        CREATE TABLE sink (
            "key" text COLLATE "C" NOT NULL PRIMARY KEY,
            name text,
            kind text NOT NULL,
            title text NOT NULL,
            spec text NOT NULL,
            retired bigint
        )
        """,
    ]

    private static let firing = [
        """
        CREATE TABLE firing (
            id bigint PRIMARY KEY,
            definition text COLLATE "C" NOT NULL,
            occurrence bigint NOT NULL,
            action text COLLATE "C" NOT NULL,
            kind text NOT NULL,
            due bigint NOT NULL,
            payload text NOT NULL,
            created bigint NOT NULL,
            on_failure text
        )
        """,
        "CREATE UNIQUE INDEX firing_definition ON firing (definition, occurrence, action)",
        "CREATE INDEX firing_created ON firing (created)",
    ]

    // Of the deliveries of one definition to one sink, only one is next: `delivery_turn`.
    private static let delivery = [
        """
        CREATE TABLE delivery (
            number bigint PRIMARY KEY,
            id text COLLATE "C" NOT NULL,
            firing bigint NOT NULL REFERENCES firing (id),
            definition text COLLATE "C" NOT NULL,
            occurrence bigint NOT NULL,
            sink text COLLATE "C" NOT NULL,
            state text NOT NULL,
            overlap text NOT NULL,
            attempt bigint NOT NULL,
            tries bigint NOT NULL,
            interrupted bigint NOT NULL DEFAULT 0,
            since bigint NOT NULL,
            expires bigint,
            next_attempt bigint,
            started bigint,
            claim_token text,
            claim_owner text,
            claim_until bigint,
            withdrawn text,
            reason text,
            report text,
            created bigint NOT NULL,
            settled bigint
        ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)
        """,
        "CREATE UNIQUE INDEX delivery_firing ON delivery (firing, sink)",
        """
        CREATE UNIQUE INDEX delivery_turn ON delivery (sink, definition)
            WHERE (state = 'pending' OR state = 'claimed') AND overlap <> 'allow'
        """,
        "CREATE INDEX delivery_pending ON delivery (sink, next_attempt, number) WHERE state = 'pending'",
        "CREATE INDEX delivery_queued ON delivery (sink, definition, number) WHERE state = 'queued'",
        "CREATE INDEX delivery_open ON delivery (definition, sink, number, claim_until) WHERE settled IS NULL",
        "CREATE INDEX delivery_retrying ON delivery (sink, definition, next_attempt) WHERE state = 'pending' AND tries > 0",
        "CREATE INDEX delivery_dead ON delivery (sink, definition, settled) WHERE state = 'dead'",
        "CREATE INDEX delivery_closed ON delivery (id) WHERE settled IS NOT NULL AND state <> 'delivered'",
        "CREATE INDEX delivery_replaceable ON delivery (claim_owner) WHERE state = 'claimed' AND overlap = 'replace'",
    ]

    private static let others = [
        """
        CREATE TABLE attempt (
            delivery bigint NOT NULL REFERENCES delivery (number),
            number bigint NOT NULL,
            started bigint NOT NULL,
            ended bigint NOT NULL,
            outcome text NOT NULL,
            reason text,
            report text,
            PRIMARY KEY (delivery, number)
        )
        """,
        """
        CREATE TABLE omission (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            definition text COLLATE "C" NOT NULL,
            occurrence bigint NOT NULL,
            action text COLLATE "C" NOT NULL,
            due bigint NOT NULL,
            reason text COLLATE "C" NOT NULL,
            count bigint NOT NULL,
            recorded bigint NOT NULL,
            note text,
            UNIQUE (definition, occurrence, action, due, reason)
        )
        """,
        "CREATE INDEX omission_recorded ON omission (recorded)",
        """
        CREATE TABLE control (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            definition text COLLATE "C" NOT NULL,
            control text COLLATE "C" NOT NULL,
            author text NOT NULL,
            at bigint NOT NULL,
            note text,
            UNIQUE (definition, at, control)
        )
        """,
        "CREATE INDEX control_at ON control (at)",
        """
        CREATE TABLE kept_file (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            root text COLLATE "C" NOT NULL,
            path text COLLATE "C" NOT NULL,
            content bytea NOT NULL,
            digest text COLLATE "C" NOT NULL,
            written bigint NOT NULL,
            UNIQUE (root, path)
        )
        """,
        """
        CREATE TABLE ad_hoc (
            definition text COLLATE "C" NOT NULL PRIMARY KEY,
            document bytea NOT NULL,
            author text NOT NULL,
            created bigint NOT NULL
        )
        """,
        """
        CREATE TABLE general_mute (
            id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
            mute text NOT NULL
        )
        """,
        """
        CREATE TABLE session (
            digest text COLLATE "C" NOT NULL PRIMARY KEY,
            name text NOT NULL,
            token text,
            level text NOT NULL CHECK (level = 'read' OR level = 'control' OR level = 'edit'),
            address text NOT NULL,
            made bigint NOT NULL,
            used bigint NOT NULL
        )
        """,
    ]
}
