import TminusCore
import TminusStorage

/// Migrations in order. A released migration is never edited: a correction is a new migration, which only adds, so that an
/// older program can go on beside it.
enum Migrations {
    /// The statements of each migration, the first schema first.
    static let steps = [M001.statements]

    /// The number of the schema of this program.
    static var schema: Int64 { Int64(steps.count) }

    /// Brings the schema up to date, in the transaction of the caller.
    static func apply(_ name: SchemaName, _ transaction: Transaction) throws {
        let isThere = try transaction.number(exists, name.rawValue, "meta") != nil
        if !isThere {
            if try transaction.number("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", name.rawValue) == nil
            {
                try transaction.post("CREATE SCHEMA \(name.quoted)")
            } else if try transaction.number(isUsed, name.rawValue) != nil {
                throw ForeignSchema()
            }
        }
        var applied: Int64 = 0
        if isThere {
            let known = try transaction.first("SELECT schema, oldest FROM meta FOR UPDATE") { row in
                (schema: try row.number(0), oldest: try row.number(1))
            }
            guard let known else { throw UnreadableRow(what: "the number of the schema") }
            if known.oldest > schema { throw NewerSchema() }
            applied = known.schema
        }
        guard applied < schema else { return }
        for statement in steps[Int(clamping: max(0, applied))...].joined() { try transaction.post(statement) }
        try transaction.post("UPDATE meta SET schema = $1", schema)
    }

    private static let exists = """
        SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $2
        """

    private static let isUsed = """
        SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 LIMIT 1
        """
}

/// A newer tminus wrote the schema, and this program may not use it.
struct NewerSchema: Error {}

/// The schema has tables that are not those of tminus.
struct ForeignSchema: Error {}
