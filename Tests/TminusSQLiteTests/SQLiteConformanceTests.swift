import Testing
import TminusCore
import TminusSQLite
import TminusTestKit

@Suite("SQLite store: the rules of a store")
struct SQLiteConformanceTests {
    @Test("keeps every rule of a store", arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        let scratch = try Scratch()
        // The first store is not closed: the second finds what a killed process leaves behind.
        try await check.run(reopen: { _ in try SQLiteStore(path: scratch.path) }) {
            try SQLiteStore(path: scratch.path)
        }
    }
}
