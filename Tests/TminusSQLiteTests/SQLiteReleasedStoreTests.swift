import GRDB
import Glibc
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

/// Stores as earlier programs wrote them, in `Stores`. `TMINUS_RECORD_STORE=1` in the environment records the one of the
/// present schema again, which is right only until a release has that schema.
@Suite("SQLite store: stores of releases")
struct SQLiteReleasedStoreTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static func path(_ name: String) -> String {
        let directory = #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex)
        return "\(directory)Stores/\(name).sqlite"
    }

    /// The schema as SQLite keeps it.
    private func schema(_ path: String) async throws -> [String] {
        let store = try SQLiteStore(path: path)
        let rows = try await store.perform {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT type || ' ' || name || ': ' || sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name
                    """)
        }
        try await store.close()
        return rows
    }

    /// Writes a running timer, a delivery that waits, one that is dead, and a timer that a user added.
    private func record(_ name: String) async throws {
        let other = try Scratch()
        let store = try SQLiteStore(path: other.path)
        let state = ScheduleState(
            id: try #require(DefinitionID("tea")), kind: .timer, fingerprint: 1, leads: 2, phase: .armed,
            cursor: .at(0), start: .at(0), deadline: .at(60))
        try await store.write([.sample("dead")])
        try await store.settle(try await store.claim(), .dead(reason: "gone"))
        _ = try await store.commit(Commit(schedules: [state], firings: [.sample("tea")]), now: .at(2))
        try await store.add(
            AdHocDefinition(
                id: try #require(DefinitionID("egg")), document: Array(#"{"timers":{"egg":{"duration":"4m"}}}"#.utf8),
                by: "ada", created: .at(3)))
        unlink(Self.path(name))
        _ = try await store.copy(to: Self.path(name))
        try await store.close()
    }

    @Test(
        "a store of each schema opens with this program, keeps what is in it, and has the schema of a new one",
        arguments: ["schema-1", "schema-2"])
    func opens(_ name: String) async throws {
        if getenv("TMINUS_RECORD_STORE") != nil, name == "schema-\(SQLiteStore.schema)" { try await record(name) }
        try scratch.write(try scratch.read(Self.path(name)))
        let new = try Scratch()
        #expect(try await schema(scratch.path) == schema(new.path))

        let store = try SQLiteStore(path: scratch.path)
        #expect(try await store.snapshot().schedules.map(\.id.rawValue) == ["tea"])
        #expect(try await store.adHocDefinitions().map(\.id.rawValue) == ["egg"])
        #expect(try await store.claim(at: 4).map(\.definition.rawValue) == ["tea"])
        #expect(try await store.standing().troubled.mapValues(\.dead) == [try #require(DefinitionID("dead")): 1])
    }
}
