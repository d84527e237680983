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
