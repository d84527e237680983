import GRDB
import TminusCore
import TminusStorage

/// A transaction in which a verb runs.
struct Transaction {
    /// The connection, on its own queue.
    let db: Database

    /// Runs a statement without results. Returns how many rows it changed.
    @discardableResult
    func run<each Value: QuickValue>(_ sql: String, _ values: repeat each Value) throws -> Int {
        let statement = try QuickStatement(sql, self)
        statement.bind(repeat each values)
        return try statement.run()
    }

    /// Passes each row to `body`. The row is valid only during the call, in which the same statement must not run.
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

    /// The number of the last row of a table; 0 if it is empty. Throws if the number is so large that later ones could
    /// overflow.
    func lastNumber(_ sql: String) throws -> Int64 {
        let last = try number(sql) ?? 0
        guard last <= Counts.rowNumbers.upperBound else { throw UnreadableRow(what: "the row number \(last)") }
        return last
    }
}
