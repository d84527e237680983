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
