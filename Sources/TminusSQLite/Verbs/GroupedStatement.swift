/// A statement that writes rows, a group of them at a time where there are as many: for each of them alone the statement would begin
/// anew and open the table and its indexes again, which is a third of what it costs to write one.
struct GroupedStatement {
    /// How many rows make a group.
    static let size = 8

    private let one: QuickStatement
    private let group: QuickStatement
    private let columns: CInt

    /// The statement whose text for so many rows is `sql`, each with `columns` parameters in a row.
    init(_ sql: (_ rows: Int) -> String, columns: CInt, _ transaction: Transaction) throws {
        one = try QuickStatement(sql(1), transaction)
        group = try QuickStatement(sql(Self.size), transaction)
        self.columns = columns
    }

    /// Writes up to ``size`` rows and says how many it changed. `bind` binds what belongs to one of `rows`, of which the parameters
    /// follow the one it is handed.
    @discardableResult
    func run(_ rows: Range<Int>, bind: (_ row: Int, QuickStatement, _ before: CInt) throws -> Void) throws -> Int {
        guard rows.count == Self.size else {
            return try rows.reduce(0) { changed, row in
                try bind(row, one, 0)
                return changed + (try one.run())
            }
        }
        var before: CInt = 0
        for row in rows {
            try bind(row, group, before)
            before += columns
        }
        return try group.run()
    }

    /// The text of `rows` rows of values: `values` yields that of one whose parameters follow a number.
    static func values(_ rows: Int, columns: Int, _ values: (_ before: Int) -> String) -> String {
        (0..<rows).map { values($0 * columns) }.joined(separator: ", ")
    }

    /// The text of `rows` rows of nothing but parameters.
    static func values(_ rows: Int, columns: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        return Array(repeating: row, count: rows).joined(separator: ", ")
    }
}

extension Range<Int> {
    /// Its parts, each as large as a group but the last.
    var groups: some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: GroupedStatement.size).lazy.map { [upperBound] first in
            first..<Swift.min(upperBound, first + GroupedStatement.size)
        }
    }
}
