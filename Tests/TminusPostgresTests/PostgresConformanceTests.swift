import PostgresTestServer
import Testing
import TminusCore
import TminusPostgres
import TminusTestKit

@Suite(
    "PostgreSQL store: the rules of a store",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct PostgresConformanceTests {
    @Test("keeps every rule of a store", arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        let place = try Place()
        // The first store is not closed: the second finds what a killed process leaves behind. Some checks go on with the first.
        try await check.run(on: { try place.openBeside() }, reopen: { _ in try place.openBeside() })
    }
}
