/// The text of a statement that writes rows, for one row and for a group of rows.
struct GroupedText: Sendable {
    /// The number of rows in a group.
    static let size = 8

    /// The text for one row.
    let one: String
    /// The text for a group.
    let group: String
    /// The number of parameters per row. The parameters of a row are consecutive.
    let columns: CInt

    /// Creates the texts; `sql` returns the text for a number of rows.
    init(columns: CInt, _ sql: (_ rows: Int) -> String) {
        self.columns = columns
        one = sql(1)
        group = sql(Self.size)
    }

    /// The text of the values of `rows` rows. `values` returns that of one row, whose parameters follow the given
    /// number.
    static func values(_ rows: Int, columns: Int, _ values: (_ before: Int) -> String) -> String {
        (0..<rows).map { values($0 * columns) }.joined(separator: ", ")
    }

    /// The text of the values of `rows` rows that consist of parameters only.
    static func values(_ rows: Int, columns: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        return Array(repeating: row, count: rows).joined(separator: ", ")
    }
}
