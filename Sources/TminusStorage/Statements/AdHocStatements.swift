/// The statements over `ad_hoc`.
enum AdHocStatements {
    static let all = "SELECT definition, document, author, created FROM ad_hoc ORDER BY definition"

    static let write = """
        INSERT INTO ad_hoc (definition, document, author, created) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (definition) DO UPDATE SET
            document = excluded.document, author = excluded.author, created = excluded.created
        """

    static let remove = "DELETE FROM ad_hoc WHERE definition = ?1"
}
