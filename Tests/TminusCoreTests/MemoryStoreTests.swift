import Testing
import TminusCore
import TminusTestKit

@Suite("memory store")
struct MemoryStoreTests {
    @Test("keeps every rule of a store", arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        try await check.run { MemoryStore() }
    }

    @Test("throws what it is told to throw and changes nothing meanwhile")
    func trouble() async throws {
        let store = MemoryStore()
        store.fail(with: StoreError(.full, "no room"))
        let omission = Omission(
            definition: try #require(DefinitionID("tea")), occurrence: .distantPast, action: .expiry, due: .distantPast,
            reason: .tooLate)
        await #expect(throws: StoreError(.full, "no room")) {
            try await store.commit(Commit(omissions: [omission]), now: .distantPast)
        }
        store.fail(with: nil)
        let history = { try await store.history(of: omission.definition, before: .distantFuture, limit: 9) }
        #expect(try await history().isEmpty)
        try await store.commit(Commit(omissions: [omission]), now: .distantPast)
        try await store.commit(Commit(omissions: [omission]), now: .distantFuture)
        #expect(try await history() == [HistoryEntry(omission)])
    }
}
