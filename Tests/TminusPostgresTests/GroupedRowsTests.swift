import PostgresTestServer
import Testing

@testable import TminusPostgres
@testable import TminusStorage

/// Rows that are written eight in one statement.
@Suite(
    "PostgreSQL store: rows in groups", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct GroupedRowsTests {
    @Test(
        "every row is written once, whether a group fits into what is sent at once or not",
        arguments: [1, 7, 8, 9, 24, 200], [1, 900, 1_100, 20_000])
    func sizes(_ count: Int, _ length: Int) async throws {
        let cluster = try await Cluster.shared()
        let place = try await Place(cluster)
        try await place.open().close()
        let table = "\(place.schema.quoted).grouped"
        try cluster.run("CREATE TABLE \(table) (number bigint PRIMARY KEY, text text)")
        let text = GroupedText([1, 2]) { "INSERT INTO \(table) VALUES \($0)" }
        let connection = try cluster.connection()
        defer { connection.finish() }
        // Groups of long rows and of short ones take turns.
        let lengths = (0..<count).map { $0 / GroupedText.size % 2 == 0 ? length : 1 }
        let rows: [[Parameter]] = lengths.enumerated().map { number, length in
            [.number(Int64(number)), .text(String(repeating: "x", count: length))]
        }
        #expect(try connection.write(text, rows) == count)
        let sum = "SELECT count(*), sum(length(text)) FROM \(table)"
        var found: [Int64] = []
        try connection.forEach(sum, [[]]) { _, row in found = [try row.number(0), try row.number(1)] }
        #expect(found == [Int64(count), Int64(lengths.reduce(0, +))])
    }
}
