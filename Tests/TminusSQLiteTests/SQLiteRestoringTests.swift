import Glibc
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: copies and restored stores")
struct SQLiteRestoringTests {
    private let scratch: Scratch
    private var copy: String { "\(scratch.directory)/copy" }

    init() throws {
        scratch = try Scratch()
    }

    @Test("a copy of a store in use has what was committed, is for its owner only, and passes the check")
    func copied() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        #expect(try await store.copy(to: copy) == Migrations.standard.schema)
        #expect(scratch.mode(copy) == 0o600)
        #expect(try SQLiteStore.check(copy: copy) == Migrations.standard.schema)
        let beside = try #require(try SQLiteStore.reading(path: scratch.path))
        #expect(try await beside.copy(to: copy) == Migrations.standard.schema)
        try await store.write([.sample("late")])
        #expect(try await SQLiteStore(path: copy).claim().map(\.definition.rawValue) == ["tea"])
    }

    @Test("a copy that is cut off or is no store is refused and stays as it is", arguments: [0, 100, 4_096, 20_000])
    func damaged(size: Int) async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write(try (0..<200).map { try .sample("t\($0)") })
        _ = try await store.copy(to: copy)
        let bytes = Array(try scratch.read(copy).prefix(size))
        try scratch.write(bytes, to: copy)
        #expect(#expect(throws: StoreError.self) { try SQLiteStore.check(copy: copy) }?.kind == .damaged)
        #expect(try scratch.read(copy) == bytes)
    }

    @Test("a restored store sends none of its open deliveries, and a user can send each of them after all")
    func openDeliveries() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("claimed"), .sample("waiting"), .sample("done")])
        let claimed = try await store.claim(.sample(limit: 2))
        try await store.settle([claimed[1]])
        #expect(try await store.markRestored(now: .at(50)) == 2)
        #expect(try await store.claim(at: 90).isEmpty)
        let closed = try await store.deliveries(DeliveryFilter(states: [.discarded]))
        #expect(closed.count == 2 && closed.allSatisfy { $0.reason?.contains("restored from a copy") == true })
        #expect(try await store.retry(DeliveryFilter(ids: closed.map(\.id)), now: .at(100)) == 2)
        #expect(Set(try await store.claim(at: 100).map(\.id)) == Set(closed.map(\.id)))
    }

    @Test("each schedule of a restored store knows when that was")
    func schedules() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let state = ScheduleState(
            id: try #require(DefinitionID("t")), kind: .timer, fingerprint: 1, leads: 2, phase: .armed,
            cursor: .at(0), start: .at(0), deadline: .at(60))
        _ = try await store.commit(Commit(schedules: [state]), now: .at(0))
        _ = try await store.markRestored(now: .at(50))
        #expect(try await store.snapshot().schedules.map(\.overrides.restored) == [.at(50)])
    }
}
