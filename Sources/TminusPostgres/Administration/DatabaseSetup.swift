package import TminusCore
import TminusStorage

/// The schema of a store, and the rights of the role of a daemon that does not own it.
package struct DatabaseSetup: Sendable {
    /// The role that is given the rights; nil if the daemon connects as the owner.
    package var role: SchemaName?
    private let schema = SchemaName.standard

    /// A setup for the given role.
    package init(role: SchemaName?) { self.role = role }

    /// Makes the schema, or brings it up to date, and gives the role its rights. Makes the role if there is none. Doing it again
    /// changes nothing. Blocks meanwhile.
    package func perform(at address: String) throws(StoreError) {
        try DatabaseLink.withTransaction(at: PostgresAddress(address)) { transaction in
            try Migrations.apply(schema, transaction)
            guard let role else { return }
            if try transaction.number("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1", role.rawValue) == nil {
                try transaction.post(Self.creation(of: role))
            }
            for statement in grants(to: role) { try transaction.post(statement) }
        }
    }

    /// The same for an empty database, as text for psql.
    package var script: String {
        var statements = ["CREATE SCHEMA \(schema.quoted)", "SET search_path = \(schema.quoted)"]
        statements += Migrations.steps.joined() + ["UPDATE meta SET schema = \(Migrations.schema)"]
        if let role { statements += [Self.creation(of: role)] + grants(to: role) }
        return (["BEGIN"] + statements + ["COMMIT"]).map { "\($0);\n" }.joined()
    }

    private static func creation(of role: SchemaName) -> String { "CREATE ROLE \(role.quoted) LOGIN" }

    private func grants(to role: SchemaName) -> [String] {
        [
            "GRANT USAGE ON SCHEMA \(schema.quoted) TO \(role.quoted)",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema.quoted) TO \(role.quoted)",
        ]
    }
}
