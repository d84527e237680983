/// A statement that writes rows, in groups if there are enough. Run for each row, the statement would start anew and
/// reopen the table and its indexes, which is a third of the cost of a row.
final class GroupedStatement {
    private let text: GroupedText
    private let transaction: Transaction
    private let one: QuickStatement
    /// The statement for a group; nil until there is a group, which is rare.
    private var group: QuickStatement?

    /// Creates the statement with the given text.
    init(_ text: GroupedText, _ transaction: Transaction) throws {
        self.text = text
        self.transaction = transaction
        one = try QuickStatement(text.one, transaction)
    }

    /// Writes a group of rows, or fewer, and returns how many rows changed. `bind` binds the values of one row, whose
    /// parameters follow `before`.
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
    /// Its parts: all have the size of a group, except the last one.
    var groups: some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: GroupedText.size).lazy.map { [upperBound] first in
            first..<Swift.min(upperBound, first + GroupedText.size)
        }
    }
}
