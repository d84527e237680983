/// The connection of a transaction, which runs statements. All that two stores do differently with a statement is here.
///
/// Statements are those of SQLite with numbered parameters (`?1`), in the part of the language that other databases know as well.
/// Only the words `CROSS JOIN` before a condition, which says the order of a join, and `INDEXED BY` are SQLite's own.
package protocol StatementRunner: AnyObject {
    /// Runs a statement and ignores its result. It may be sent later, but before every other statement that follows.
    func post(_ sql: String, _ values: [Parameter]) throws

    /// Runs a statement once for each list of values, in their order, and returns how many rows each run changed.
    func changes(_ sql: String, _ lists: [[Parameter]]) throws -> [Int]

    /// Runs a statement once for each list of values, in their order, and passes each row with the index of its list to `body`.
    /// The same statement must not run meanwhile.
    func forEach(_ sql: String, _ lists: [[Parameter]], _ body: (Int, StoredRow) throws -> Void) throws

    /// Writes rows, and returns how many of them changed.
    func write(_ text: GroupedText, _ rows: [[Parameter]]) throws -> Int

    /// The sinks with pending deliveries, with one index seek per sink, regardless of the number of deliveries.
    func waitingSinks() throws -> [String]
}
