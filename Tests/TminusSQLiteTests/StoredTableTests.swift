import GRDB
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: moves")
struct StoredTableTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test("a move copies every column of every table")
    func columns() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let tables = try await store.perform { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        // What could not be read is of no use elsewhere.
        let copied = Set(tables).subtracting(["damaged", "grdb_migrations"])
        #expect(Set(StoredTable.all.map(\.name)) == copied)
        for table in StoredTable.all {
            let columns = try await store.perform { db in
                try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table.name)')")
            }
            #expect(Set(table.columnNames) == Set(columns), "\(table.name)")
        }
    }

    @Test("a copy has the same rows, page by page, and the numbers of rows that others refer to")
    func copies() async throws {
        let other = try Scratch()
        let (from, to) = (try SQLiteStore(path: scratch.path), try SQLiteStore(path: other.path))
        try await from.write(try (0..<1_200).map { try .sample("t\($0)") })
        let claimed = try await from.claim()
        try await from.settle(Array(claimed.prefix(10)), .retry(at: .at(99), reason: "busy"))
        try await from.settle(Array(claimed.suffix(10)), .dead(reason: "no"))
        var counts: [String: Int] = [:]
        for table in StoredTable.all { counts[table.name] = try await from.copy(table, to: to) }
        #expect(counts["delivery"] == 1_200 && counts["firing"] == 1_200 && counts["attempt"] == 10)
        let all = DeliveryFilter(limit: .max)
        #expect(try await from.deliveries(all) == to.deliveries(all))
        #expect(try await from.snapshot() == to.snapshot())
        #expect(try await to.claim(.sample(limit: 1), at: 100).count == 1)
    }
}
