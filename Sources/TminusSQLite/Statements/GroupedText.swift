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
