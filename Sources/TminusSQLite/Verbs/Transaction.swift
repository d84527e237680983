import GRDB
import TminusCore

/// A verb at work inside its transaction.
struct Transaction {
    /// The connection, on its own queue.
    let db: Database

    /// Runs a statement that yields nothing and says how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
        return db.changesCount
    }

    /// Hands each row to `body`. The row is valid only during the call.
    func forEach(_ sql: String, _ arguments: StatementArguments = [], _ body: (Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
        while let row = try rows.next() { try body(row) }
    }

    /// The first column of the first row.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _: Value.Type, _ sql: String, _ arguments: StatementArguments = []
    ) throws -> Value? {
        try Value.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The number of the last row of a table; 0 if it is empty. Errors: a number so large that others may not fit behind it.
    func lastNumber(_ sql: String) throws -> Int64 {
        let last = try value(Int64.self, sql) ?? 0
        guard last < 1 << 62 else { throw UnreadableRow(what: "the row number \(last)") }
        return last
    }
}

/// The numbers that can be read as counts: whoever adds to one need not expect an overflow.
enum Counts {
    /// From 0 to 2^48: one a microsecond for nine years.
    static let all = 0...1 << 48
}

/// A row that this program cannot have written.
struct UnreadableRow: Error {
    /// Which one.
    let what: String
}

extension Row {
    /// The value in a column, read so that a damaged file is an error and not the end of the process, as it is with `[]`.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        try decode(Value.self, atIndex: column)
    }

    /// How often something happened, within bounds that no program reaches and no sum leaves.
    func count(_ column: Int) throws -> Int {
        let count: Int = try value(column)
        guard Counts.all.contains(count) else { throw UnreadableRow(what: "the count \(count)") }
        return count
    }

    /// An instant in a column.
    func instant(_ column: Int) throws -> Timestamp { Timestamp(nanoseconds: try value(column)) }

    /// An instant in a column, or none.
    func optionalInstant(_ column: Int) throws -> Timestamp? {
        let nanoseconds: Int64? = try value(column)
        return nanoseconds.map { Timestamp(nanoseconds: $0) }
    }

    /// The id of a definition in a column.
    func definition(_ column: Int) throws -> DefinitionID {
        let text: String = try value(column)
        guard let id = DefinitionID(text) else { throw UnreadableRow(what: "the definition id '\(text)'") }
        return id
    }

    /// One of several words in a column.
    func word<Word: RawRepresentable>(_ column: Int, _: Word.Type) throws -> Word where Word.RawValue == String {
        let text: String = try value(column)
        guard let word = Word(rawValue: text) else { throw UnreadableRow(what: "the word '\(text)'") }
        return word
    }
}
