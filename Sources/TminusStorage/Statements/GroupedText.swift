/// The text of a statement that writes rows, for one row and for a group of rows.
package struct GroupedText: Sendable {
    /// The number of rows in a group.
    package static let size = 8

    /// The text for one row.
    package let one: String
    /// The text for a group.
    package let group: String
    /// The number of parameters per row. Those of a row follow those of the row before.
    package let count: Int

    /// Creates the texts. `parameters` has the number of the parameter of each column; `sql` returns the text around the
    /// values of all rows.
    init(_ parameters: [Int], _ sql: (_ values: String) -> String) {
        let count = parameters.max() ?? 0
        func values(_ rows: Int) -> String {
            let rows = (0..<rows).map { row in
                "(" + parameters.map { "?\(row * count + $0)" }.joined(separator: ", ") + ")"
            }
            return rows.joined(separator: ", ")
        }
        self.count = count
        one = sql(values(1))
        group = sql(values(Self.size))
    }
}
