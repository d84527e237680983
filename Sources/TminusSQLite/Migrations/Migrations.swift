import GRDB

/// Migrations in order. A released migration is never edited: a correction is a new migration.
struct Migrations: Sendable {
    /// One numbered change of the schema.
    struct Step: Sendable {
        /// The number and a word, such as `M001_Schema`. It is stored in the file.
        var name: String
        /// Makes the change. It runs in a transaction of its own.
        var apply: @Sendable (Database) throws -> Void

        /// The number alone, such as `M001`.
        var number: String { String(name.prefix { $0 != "_" }) }
    }

    /// The migrations, the first schema first.
    var steps: [Step]

    /// All migrations of this program.
    static let standard = Migrations(steps: [
        Step(name: M001.name, apply: M001.apply), Step(name: M002.name, apply: M002.apply),
        Step(name: M003.name, apply: M003.apply),
    ])

    /// Marks a file as a store of tminus: "tmns" in ASCII (`PRAGMA application_id`).
    static let applicationID = 0x746D_6E73

    /// The migrator with these migrations.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Foreign keys are checked immediately: the deferred check would read the whole history after each migration.
        for step in steps {
            migrator.registerMigration(step.name, foreignKeyChecks: .immediate, migrate: step.apply)
        }
        return migrator
    }

    /// The number of the schema of this program.
    var schema: Int { steps.count }

    /// The number of the schema of a file: how many migrations were applied.
    func schema(of db: Database) throws -> Int { try migrator.appliedIdentifiers(db).count }

    /// The first migration that the file still needs; nil if it needs none, or has no schema yet.
    func pending(_ db: Database) throws -> Step? {
        let applied = try migrator.appliedIdentifiers(db)
        return applied.isEmpty ? nil : steps.first { !applied.contains($0.name) }
    }

    /// Whether the file has one of the eight schemas from before the first release, which are no longer supported.
    func isFromBeforeFirstRelease(_ db: Database) throws -> Bool {
        try migrator.appliedIdentifiers(db).contains("M001")
    }
}
