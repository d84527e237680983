import GRDB

/// All migrations in order. A released migration is never edited: a correction is a new migration.
enum Migrations {
    /// Marks a file as a store of tminus: "tmns" in ASCII (`PRAGMA application_id`).
    static let applicationID = 0x746D_6E73

    /// The migrator with all migrations of this program.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Foreign keys are checked immediately: the deferred check would read the whole history after each migration.
        migrator.registerMigration(M001.name, foreignKeyChecks: .immediate, migrate: M001.apply)
        return migrator
    }

    /// Whether the file has one of the eight schemas from before the first release, which are no longer supported.
    static func isFromBeforeFirstRelease(_ db: Database) throws -> Bool {
        try migrator.appliedIdentifiers(db).contains("M001")
    }
}
