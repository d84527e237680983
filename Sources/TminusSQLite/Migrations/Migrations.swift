import GRDB

/// All migrations in their order. One that has been released is never edited: what it left out is a new one.
enum Migrations {
    /// Marks a file as a store of tminus: "tmns" in ASCII (`PRAGMA application_id`).
    static let applicationID = 0x746D_6E73

    /// The migrator with every migration of this program.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Checked on the spot: the deferred check would read every row of the history after each migration.
        migrator.registerMigration(M001.name, foreignKeyChecks: .immediate, migrate: M001.apply)
        return migrator
    }

    /// Whether the file has a schema from before the first release, of which there were eight: nothing reads them any more.
    static func isFromBeforeFirstRelease(_ db: Database) throws -> Bool {
        try migrator.appliedIdentifiers(db).contains("M001")
    }
}
