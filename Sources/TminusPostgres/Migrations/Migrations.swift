import TminusCore
import TminusStorage

/// Migrations in order. A released migration is never edited: a correction is a new migration, which only adds, so that an
/// older program can go on beside it.
enum Migrations {
    /// The statements of each migration, the first schema first.
    static let steps = [M001.statements, M002.statements, M003.statements, M004.statements, M005.statements]

    /// The number of the schema of this program.
    static var schema: Int64 { Int64(steps.count) }

    /// The number in `meta.oldest` while a move writes the database, so that no program uses it.
    static let incomplete = Int64.max

    /// The number in `meta.oldest` at other times.
    static let oldest: Int64 = 2

    /// Brings the schema up to date, in the transaction of the caller.
    ///
    /// - Parameter isTarget: Whether a move writes the database. No other use is allowed until it is complete.
    static func apply(_ name: SchemaName, isTarget: Bool = false, _ transaction: Transaction) throws {
        let isThere = try isThere(name, transaction)
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
            if known.oldest == incomplete {
                guard isTarget else { throw IncompleteMove() }
            } else if known.oldest > schema {
                throw NewerSchema()
            }
            applied = known.schema
        }
        guard applied < schema else { return }
        for statement in steps[Int(clamping: max(0, applied))...].joined() { try transaction.post(statement) }
        try transaction.post("UPDATE meta SET schema = $1", schema)
    }

    /// Whether the database has a store of whatever number. Throws if the user may not look into it.
    static func isThere(_ name: SchemaName, _ transaction: Transaction) throws -> Bool {
        guard try transaction.number(exists, name.rawValue, "meta") != nil else { return false }
        guard try transaction.number("SELECT has_schema_privilege($1, 'USAGE')", name.rawValue) == 1 else {
            throw ClosedSchema()
        }
        return true
    }

    /// The number of the schema of a store that is there. Throws if this program may not use it.
    static func number(_ transaction: Transaction) throws -> Int64 {
        let known = try transaction.first("SELECT schema, oldest FROM meta") { row in
            (schema: try row.number(0), oldest: try row.number(1))
        }
        guard let known else { throw UnreadableRow(what: "the number of the schema") }
        if known.oldest == incomplete { throw IncompleteMove() }
        if known.oldest > schema { throw NewerSchema() }
        return known.schema
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

/// The user may not use the schema.
struct ClosedSchema: Error {}

/// A move that writes the database has not ended.
struct IncompleteMove: Error {}

/// The schema has tables that are not those of tminus.
struct ForeignSchema: Error {}
