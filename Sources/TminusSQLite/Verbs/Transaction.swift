import GRDB

/// A verb at work inside its transaction.
struct Transaction {
    /// The connection, on its own queue.
    let db: Database

    /// Runs a statement that yields nothing and says how many rows it changed.
    @discardableResult
    func run<each Value: QuickValue>(_ sql: String, _ values: repeat each Value) throws -> Int {
        let statement = try QuickStatement(sql, self)
        statement.bind(repeat each values)
        return try statement.run()
    }

    /// Hands each row to `body`. The row is valid only during the call, in which the same statement must not run.
    func forEach<each Value: QuickValue>(
        _ sql: String, _ values: repeat each Value, body: (QuickRow) throws -> Void
    ) throws {
        let statement = try QuickStatement(sql, self)
        statement.bind(repeat each values)
        try statement.each(body)
    }

    /// The number in the first column of the first row.
    func number<each Value: QuickValue>(_ sql: String, _ values: repeat each Value) throws -> Int64? {
        let statement = try QuickStatement(sql, self)
        statement.bind(repeat each values)
        return try statement.first { try $0.optionalNumber(0) }
    }

    /// The text in the first column of the first row.
    func text<each Value: QuickValue>(_ sql: String, _ values: repeat each Value) throws -> String? {
        let statement = try QuickStatement(sql, self)
        statement.bind(repeat each values)
        return try statement.first { try $0.optionalText(0) }
    }
}

/// A row that this program cannot have written.
struct UnreadableRow: Error {
    /// Which one.
    let what: String
}
