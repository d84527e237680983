import TminusStorage

extension Connection: StatementRunner {
    func post(_ sql: String, _ values: [Parameter]) throws { try send(sql, values) }

    func changes(_ sql: String, _ lists: [[Parameter]]) throws -> [Int] { try answers(sql, lists).map(\.changed) }

    func forEach(_ sql: String, _ lists: [[Parameter]], _ body: (Int, StoredRow) throws -> Void) throws {
        for (index, answer) in try answers(sql, lists).enumerated() {
            try answer.each { try body(index, $0) }
        }
    }

    func write(_ text: GroupedText, _ rows: [[Parameter]]) throws -> Int {
        var (groups, single): ([[Parameter]], [[Parameter]]) = ([], [])
        for first in stride(from: 0, to: rows.count, by: GroupedText.size) {
            let group = Array(rows[first..<min(first + GroupedText.size, rows.count)])
            let values = Array(group.joined())
            let isWhole = group.count == GroupedText.size && size(of: text.group, values) <= Self.length
            if isWhole { groups.append(values) } else { single += group }
        }
        return try (changes(text.group, groups) + changes(text.one, single)).reduce(0, +)
    }

    func waitingSinks() throws -> [String] {
        var sinks: [String] = []
        try forEach(Self.waitingSinks, [[]]) { _, row in sinks.append(try row.text(0)) }
        return sinks
    }

    /// Runs a statement once for each list of values, all in one trip, and returns the answers in their order.
    private func answers(_ sql: String, _ lists: [[Parameter]]) throws -> [Answer] {
        guard !lists.isEmpty else { return [] }
        for list in lists { try send(sql, list) }
        let answers = try answers().suffix(lists.count)
        guard answers.count == lists.count else { throw UnreadableRow(what: "an answer of the server") }
        return Array(answers)
    }

    private static let waitingSinks = """
        WITH RECURSIVE waiting (sink) AS (
            (SELECT sink FROM delivery WHERE state = 'pending' ORDER BY sink LIMIT 1)
            UNION ALL
            SELECT (SELECT d.sink FROM delivery d WHERE d.state = 'pending' AND d.sink > w.sink ORDER BY d.sink LIMIT 1)
            FROM waiting w WHERE w.sink IS NOT NULL
        )
        SELECT sink FROM waiting WHERE sink IS NOT NULL
        """
}

/// The statements of all stores in PostgreSQL's words.
enum PostgresText {
    /// The text of a statement: a parameter is `$1`, and neither the order of a join nor an index can be said.
    static func of(_ sql: String) -> String {
        sql.replacing("?", with: "$").replacing("CROSS JOIN", with: "JOIN").replacing(#/ INDEXED BY \w+/#, with: "")
    }
}
