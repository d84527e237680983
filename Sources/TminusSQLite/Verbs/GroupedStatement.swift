/// A statement that writes rows, as its text for one row and for a group of them.
struct GroupedText: Sendable {
    /// How many rows make a group.
    static let size = 8

    /// The text for one row.
    let one: String
    /// That for a group.
    let group: String
    /// How many parameters each row has; they follow each other.
    let columns: CInt

    /// The statement whose text for so many rows is `sql`.
    init(columns: CInt, _ sql: (_ rows: Int) -> String) {
        self.columns = columns
        one = sql(1)
        group = sql(Self.size)
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

/// A statement that writes rows, a group of them at a time where there are as many: for each of them alone the statement would begin
/// anew and open the table and its indexes again, which is a third of what it costs to write one.
final class GroupedStatement {
    private let text: GroupedText
    private let transaction: Transaction
    private let one: QuickStatement
    /// Nil until there is a group: mostly there is none.
    private var group: QuickStatement?

    /// The statement with that text.
    init(_ text: GroupedText, _ transaction: Transaction) throws {
        self.text = text
        self.transaction = transaction
        one = try QuickStatement(text.one, transaction)
    }

    /// Writes a group of rows, or fewer, and says how many it changed. `bind` binds what belongs to one of `rows`, of which the
    /// parameters follow the one it is handed.
    @discardableResult
    func run(_ rows: Range<Int>, bind: (_ row: Int, QuickStatement, _ before: CInt) throws -> Void) throws -> Int {
        guard rows.count == GroupedText.size else {
            return try rows.reduce(0) { changed, row in
                try bind(row, one, 0)
                return changed + (try one.run())
            }
        }
        let group = try group ?? QuickStatement(text.group, transaction)
        self.group = group
        var before: CInt = 0
        for row in rows {
            try bind(row, group, before)
            before += text.columns
        }
        return try group.run()
    }
}

extension Range<Int> {
    /// Its parts, each as large as a group but the last.
    var groups: some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: GroupedText.size).lazy.map { [upperBound] first in
            first..<Swift.min(upperBound, first + GroupedText.size)
        }
    }
}
