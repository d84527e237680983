import GRDB
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: schema")
struct SQLiteSchemaTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test("a store from before the first release is refused in words, and left as it is")
    func beforeFirstRelease() throws {
        let queue = try DatabaseQueue(path: scratch.path)
        try queue.write { db in
            try db.execute(
                sql: """
                    PRAGMA application_id = \(Migrations.applicationID);
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('M001'), ('M002'), ('M003');
                    CREATE TABLE schedule (definition TEXT NOT NULL PRIMARY KEY) STRICT;
                    """)
        }
        try queue.close()
        let bytes = try scratch.read()
        let errors = [
            #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) },
            #expect(throws: StoreError.self) { try SQLiteStore.reading(path: scratch.path) },
        ]
        for error in errors {
            #expect(error?.kind == .tooOld)
            #expect(
                error?.message == """
                    \(scratch.path): was written by a tminus from before the first release, and no release reads that; \
                    remove the file with its '-wal' and '-shm', or choose another state directory with --state
                    """)
        }
        #expect(try scratch.read() == bytes)
    }

    @Test("a new store has all migrations, and its tables hold their invariants")
    func invariants() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let state = ScheduleState(
            id: try #require(DefinitionID("t")), kind: .timer, fingerprint: 1, leads: 2, phase: .armed,
            cursor: .at(0), start: .at(0), deadline: .at(60))
        _ = try await store.commit(Commit(schedules: [state], firings: [.sample("t")]), now: .at(0))
        try await store.keep(
            WebSession(
                digest: "d", name: "lobby", token: nil, level: .read, address: "::1", made: .at(0), used: .at(0)))
        #expect(
            try await store.perform { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
                == ["M001_Schema", "M002_Sessions", "M003_Disabled"])
        for change in [
            "schedule SET phase = 'paused'", "schedule SET held_since = 1", "schedule SET phase = 'lost'",
            "schedule SET kind = 'clock'", "schedule SET laps = '1'", "schedule SET added = -1",
            "delivery SET interrupted = -1", "delivery SET attempt = -1", "delivery SET state = 'dead'",
            "delivery SET claim_owner = 'me'", "session SET level = 'open'",
        ] {
            await #expect(throws: StoreError.self, "\(change)") {
                try await store.perform { try $0.execute(sql: "UPDATE \(change)") }
            }
        }
        await #expect(throws: StoreError.self) {
            try await store.perform { try $0.execute(sql: "DELETE FROM firing") }
        }
        try await store.close()
    }
}
