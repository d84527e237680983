/// A stored row that cannot be read and was moved to the table `damaged`, so that everything else goes on.
public struct DamagedRow: Sendable, Hashable {
    /// The table that it was in.
    public var table: String
    /// What identified it there.
    public var row: String
    /// What is wrong with it: `the column attempt cannot be read`.
    public var reason: String

    /// A row of that table.
    public init(table: String, row: String, reason: String) {
        self.table = table
        self.row = row
        self.reason = reason
    }
}
