import TminusCore
import TminusStorage

/// A transaction in which a verb runs.
struct Transaction {
    /// The connection, on its own queue.
    let connection: Connection

    /// Queues a statement and ignores its answer. If it fails, the next statement that waits for an answer fails.
    func post<each Value: Parameter>(_ sql: String, _ items: repeat each Value) throws {
        try connection.send(sql, values(repeat each items))
    }

    /// Runs a statement without results. Returns how many rows it changed.
    func run<each Value: Parameter>(_ sql: String, _ items: repeat each Value) throws -> Int {
        try answer(sql, values(repeat each items))?.changed ?? 0
    }

    /// Passes each row to `body`.
    func forEach<each Value: Parameter>(
        _ sql: String, _ items: repeat each Value, body: (Row) throws -> Void
    ) throws {
        for row in try rows(sql, values(repeat each items)) { try body(row) }
    }

    /// What `body` makes of the first row; nil if there is none.
    func first<each Value: Parameter, Found>(
        _ sql: String, _ items: repeat each Value, body: (Row) throws -> Found?
    ) throws -> Found? {
        for row in try rows(sql, values(repeat each items)) { return try body(row) }
        return nil
    }

    /// The number in the first column of the first row.
    func number<each Value: Parameter>(_ sql: String, _ items: repeat each Value) throws -> Int64? {
        try first(sql, repeat each items) { try $0.optionalNumber(0) }
    }

    /// The text in the first column of the first row.
    func text<each Value: Parameter>(_ sql: String, _ items: repeat each Value) throws -> String? {
        try first(sql, repeat each items) { try $0.optionalText(0) }
    }

    /// Runs a statement once for each list of values, all in one trip, and returns the answers in their order.
    func answers(_ sql: String, _ lists: [[Value]]) throws -> [Answer] {
        guard !lists.isEmpty else { return [] }
        for list in lists { try connection.send(sql, list) }
        let answers = try connection.answers().suffix(lists.count)
        guard answers.count == lists.count else { throw UnreadableRow(what: "an answer of the server") }
        return Array(answers)
    }

    /// The number of the last row of a table; 0 if it is empty. Throws if the number is so large that later ones could
    /// overflow.
    func lastNumber(_ sql: String) throws -> Int64 {
        let last = try number(sql) ?? 0
        guard last <= Counts.rowNumbers.upperBound else { throw UnreadableRow(what: "the row number \(last)") }
        return last
    }

    private func answer(_ sql: String, _ values: [Value]) throws -> Answer? { try answers(sql, [values]).first }

    private func rows(_ sql: String, _ values: [Value]) throws -> [Row] {
        try answer(sql, values).map { Array($0.rows) } ?? []
    }
}
