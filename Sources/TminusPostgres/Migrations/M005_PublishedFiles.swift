/// Which definition files a fleet has and had in force, and which of them each machine had last.
enum M005 {
    /// The statements, in their order.
    static let statements = [
        // Always one row: the set in force. `hash` identifies its files, which were read by that version of the zone data.
        "CREATE TABLE file_set (number bigint NOT NULL, hash text NOT NULL, zone_data text)",
        "INSERT INTO file_set (number, hash) VALUES (0, '')",
        // A content that was in force from the set `first` on, and no longer in the set `ended`. Without a digest the file was removed.
        """
        CREATE TABLE published_file (
            path text COLLATE "C" NOT NULL,
            digest text,
            first bigint NOT NULL,
            ended bigint,
            replaced bigint,
            PRIMARY KEY (path, first)
        )
        """,
        // The last set that a machine had whole; 0 if it never had one.
        """
        CREATE TABLE machine_files (
            machine text COLLATE "C" PRIMARY KEY,
            number bigint NOT NULL,
            noted timestamptz NOT NULL DEFAULT now()
        )
        """,
        // For one file: a later set whose content of it the machine had.
        """
        CREATE TABLE machine_file (
            machine text COLLATE "C" NOT NULL REFERENCES machine_files ON DELETE CASCADE,
            path text COLLATE "C" NOT NULL,
            number bigint NOT NULL,
            PRIMARY KEY (machine, path)
        )
        """,
    ]
}
