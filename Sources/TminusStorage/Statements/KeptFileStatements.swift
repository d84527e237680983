/// The statements over `kept_file`.
enum KeptFileStatements {
    static let ofRoot = "SELECT path, content, digest FROM kept_file WHERE root IN (?1, '') ORDER BY path"

    static let roots = "SELECT DISTINCT root FROM kept_file ORDER BY root"

    static let write = """
        INSERT INTO kept_file (root, path, content, digest, written) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (root, path) DO UPDATE SET
            content = excluded.content, digest = excluded.digest, written = excluded.written
        """

    /// Gives a directory what was kept for a fleet.
    static let adopt = """
        UPDATE kept_file SET root = ?1
        WHERE root = '' AND NOT EXISTS (SELECT 1 FROM kept_file k WHERE k.root = ?1 AND k.path = kept_file.path)
        """

    static let forget = "DELETE FROM kept_file WHERE root = ?1 AND path = ?2"
}
