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
        migrator.registerMigration(M002.name, foreignKeyChecks: .immediate, migrate: M002.apply)
        migrator.registerMigration(M003.name, foreignKeyChecks: .immediate, migrate: M003.apply)
        migrator.registerMigration(M004.name, foreignKeyChecks: .immediate, migrate: M004.apply)
        migrator.registerMigration(M005.name, foreignKeyChecks: .immediate, migrate: M005.apply)
        migrator.registerMigration(M006.name, foreignKeyChecks: .immediate, migrate: M006.apply)
        migrator.registerMigration(M007.name, foreignKeyChecks: .immediate, migrate: M007.apply)
        migrator.registerMigration(M008.name, foreignKeyChecks: .immediate, migrate: M008.apply)
        return migrator
    }
}
