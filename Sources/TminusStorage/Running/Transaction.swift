/// A transaction in which a verb runs.
package struct Transaction {
    /// The connection, on its own queue.
    package let runner: any StatementRunner

    /// The transaction that is open on a connection.
    package init(on runner: any StatementRunner) { self.runner = runner }

    /// Runs a statement and ignores its result. If it fails, this or a later statement throws the error.
    package func post<each Value: ParameterValue>(_ sql: String, _ values: repeat each Value) throws {
        try runner.post(sql, parameters(repeat each values))
    }

    /// Runs a statement without results. Returns how many rows it changed.
    package func run<each Value: ParameterValue>(_ sql: String, _ values: repeat each Value) throws -> Int {
        try runner.changes(sql, [parameters(repeat each values)]).first ?? 0
    }

    /// Passes each row to `body`. The row is valid only during the call, in which the same statement must not run.
    package func forEach<each Value: ParameterValue>(
        _ sql: String, _ values: repeat each Value, body: (StoredRow) throws -> Void
    ) throws {
        try runner.forEach(sql, [parameters(repeat each values)]) { _, row in try body(row) }
    }

    /// What `body` makes of the first row; nil if there is none.
    package func first<each Value: ParameterValue, Found>(
        _ sql: String, _ values: repeat each Value, body: (StoredRow) throws -> Found?
    ) throws -> Found? {
        var found: Found?
        try forEach(sql, repeat each values) { row in if found == nil { found = try body(row) } }
        return found
    }

    /// The number in the first column of the first row.
    package func number<each Value: ParameterValue>(_ sql: String, _ values: repeat each Value) throws -> Int64? {
        try first(sql, repeat each values) { try $0.optionalNumber(0) }
    }

    /// The text in the first column of the first row.
    package func text<each Value: ParameterValue>(_ sql: String, _ values: repeat each Value) throws -> String? {
        try first(sql, repeat each values) { try $0.optionalText(0) }
    }

    /// The number of the last row of a table; 0 if it is empty. Throws if the number is so large that later ones could
    /// overflow.
    func lastNumber(_ sql: String) throws -> Int64 {
        let last = try number(sql) ?? 0
        guard last <= Counts.rowNumbers.upperBound else { throw UnreadableRow(what: "the row number \(last)") }
        return last
    }
}
