import GRDB
import TminusStorage

/// Runs the statements of one transaction at once.
final class SQLiteStatements: StatementRunner {
    private let db: Database

    /// The statements of the transaction that is open on a connection.
    init(_ db: Database) { self.db = db }

    func post(_ sql: String, _ values: [Parameter]) throws {
        let statement = try QuickStatement(sql, db)
        statement.bind(values)
        _ = try statement.run()
    }

    func changes(_ sql: String, _ lists: [[Parameter]]) throws -> [Int] {
        guard !lists.isEmpty else { return [] }
        let statement = try QuickStatement(sql, db)
        return try lists.map { values in
            statement.bind(values)
            return try statement.run()
        }
    }

    func forEach(_ sql: String, _ lists: [[Parameter]], _ body: (Int, StoredRow) throws -> Void) throws {
        guard !lists.isEmpty else { return }
        let statement = try QuickStatement(sql, db)
        let row = StoredRow(statement)
        for (index, values) in lists.enumerated() {
            statement.bind(values)
            try statement.each { try body(index, row) }
        }
    }

    /// Writes in groups if there are enough rows. Run for each row, the statement would start anew and reopen the table and its
    /// indexes, which is a third of the cost of a row.
    func write(_ text: GroupedText, _ rows: [[Parameter]]) throws -> Int {
        let size = GroupedText.size
        let grouped = rows.count - rows.count % size
        var changed = 0
        if grouped > 0 {
            let group = try QuickStatement(text.group, db)
            for first in stride(from: 0, to: grouped, by: size) {
                for row in 0..<size { group.bind(after: row * text.count, rows[first + row]) }
                changed += try group.run()
            }
        }
        return try changed + changes(text.one, Array(rows[grouped...])).reduce(0, +)
    }

    func waitingSinks() throws -> [String] {
        let transaction = Transaction(on: self)
        var sinks: [String] = []
        var next = try transaction.text(Self.firstSink)
        while let sink = next {
            sinks.append(sink)
            next = try transaction.text(Self.nextSink, sink)
        }
        return sinks
    }

    // Together they enumerate the sinks with pending deliveries without reading their deliveries.
    static let firstSink = "SELECT sink FROM delivery WHERE state = 'pending' ORDER BY sink LIMIT 1"
    static let nextSink = "SELECT sink FROM delivery WHERE state = 'pending' AND sink > ?1 ORDER BY sink LIMIT 1"
}
