import Testing
import TminusCore
import TminusSQLite
import TminusStorage
import TminusTestKit

@Suite("SQLite store: the rules of a store")
struct SQLiteConformanceTests {
    @Test("keeps every rule of a store", arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        let scratch = try Scratch()
        // The first store is not closed: the second finds what a killed process leaves behind.
        let open: @Sendable () throws -> SQLiteStore = { try SQLiteStore(path: scratch.path) }
        try await check.run(on: { try open() }, reopen: { _ in try open() })
    }
}
