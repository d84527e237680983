import GRDB
import Testing
import TminusCore

@testable import TminusSQLite

@Suite("SQLite store: upgrades")
struct SQLiteUpgradeTests {
    @Test("a store of the first schema is brought up to date with what is in it")
    func upgrade() async throws {
        let scratch = try Scratch()
        let old = try SQLiteStore(path: scratch.path)
        try await old.advance(Advance(firings: [.sample("tea")]), now: .at(0))
        try await old.perform {
            try $0.execute(sql: "DROP TABLE kept_file; DELETE FROM grdb_migrations WHERE identifier = 'M002'")
        }
        try await old.close()
        let store = try SQLiteStore(path: scratch.path)
        let file = KeptFile(path: "a.yaml", content: [1])
        try await store.keep([file], forget: [], root: "/c", now: .at(1))
        #expect(try await store.keptFiles(root: "/c").files == [file])
        #expect(try await store.claim(.sample(), now: .at(1)).map(\.definition.rawValue) == ["tea"])
        try await store.close()
    }

    @Test("schedules that were stored before there were pauses come back as they were")
    func upgradeSchedules() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue(path: scratch.path)
        try Migrations.migrator.migrate(queue, upTo: M003.name)
        try await queue.write {
            try $0.execute(
                sql: """
                    INSERT INTO schedule VALUES
                        ('e', 'event', 'f', 'l', 'armed', 5, NULL, NULL, 2, NULL),
                        ('t', 'timer', 'f', 'l', 'acting', 5, 1, 9, 7, 8)
                    """)
        }
        try queue.close()
        let store = try SQLiteStore(path: scratch.path)
        let timer = ScheduleState(
            id: try #require(DefinitionID("t")), kind: .timer, fingerprint: "f", leads: "l", phase: .acting,
            cursor: Timestamp(nanoseconds: 5), start: Timestamp(nanoseconds: 1), deadline: Timestamp(nanoseconds: 9),
            occurrences: 7, removed: Timestamp(nanoseconds: 8))
        let event = ScheduleState(
            id: try #require(DefinitionID("e")), kind: .event, fingerprint: "f", leads: "l", phase: .armed,
            cursor: Timestamp(nanoseconds: 5), occurrences: 2)
        #expect(try await store.snapshot() == StoreSnapshot(schedules: [event, timer]))
        for change in [
            "phase = 'paused'", "held_since = 1", "phase = 'lost'", "kind = 'clock'", "laps = '1'", "added = -1",
        ] {
            await #expect(throws: StoreError.self, "\(change)") {
                try await store.perform { try $0.execute(sql: "UPDATE schedule SET \(change)") }
            }
        }
        try await store.close()
    }

    @Test("an outbox that was stored with an index of ids comes back as it was")
    func upgradeOutbox() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue(path: scratch.path)
        try Migrations.migrator.migrate(queue, upTo: M004.name)
        let sample = try PreparedFiring(.sample("tea", to: ["chat", "mail", "log"]))
        let due = Timestamp.at(0).nanoseconds
        try await queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO firing VALUES (7, 'tea', \(due), 'expiry', 'expiry', \(due), ?, \(due), '["on-call"]');
                    """, arguments: [sample.payload])
            let rows = [
                "11, ?, 7, 'tea', \(due), 'chat', 'pending', 'queue', 2, 1, 3, 4, \(due), 6, NULL, NULL, NULL, 'r', 'p', 8, NULL",
                "12, ?, 7, 'tea', \(due), 'mail', 'dead', 'allow', 1, 1, 3, NULL, NULL, 6, NULL, NULL, NULL, 'no', NULL, 8, 9",
                "13, ?, 7, 'tea', \(due), 'log', 'delivered', 'skip', 1, 1, 3, NULL, NULL, 6, NULL, NULL, NULL, NULL, NULL, 8, 9",
            ]
            for (row, id) in zip(rows, sample.deliveries.map(\.text)) {
                try db.execute(sql: "INSERT INTO delivery VALUES (\(row))", arguments: [id])
            }
            try db.execute(sql: "INSERT INTO attempt VALUES (11, 1, 5, 6, 'retry', 'later', NULL)")
        }
        @Sendable func tables(_ db: Database) throws -> [String] {
            try ["firing", "delivery", "attempt"].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1").map(\.description)
            }
        }
        let before = try await queue.read { try tables($0) }
        try queue.close()
        let store = try SQLiteStore(path: scratch.path)
        #expect(try await store.perform { try tables($0) } == before)
        #expect(try await store.perform { try Row.fetchOne($0, sql: "PRAGMA foreign_key_check") == nil })
        #expect(try await store.perform { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        // Writing the same again changes nothing, and who is dead is found.
        try await store.advance(Advance(firings: [.sample("tea", to: ["chat", "mail", "log"])]), now: .at(1))
        #expect(try await store.perform { try tables($0) } == before)
        #expect(try await store.retry([sample.deliveries[1].id], now: .at(1)) == 1)
        let claimed = try await store.claim(.sample(), now: .at(1))
        #expect(claimed.map(\.sink.rawValue) == ["chat", "mail"])
        #expect(claimed.map(\.attempt) == [3, 2])
        let record = try #require(try await store.deliveries(DeliveryFilter(sink: SinkKey("chat"))).first)
        #expect(record.log.map(\.reason) == ["later"])
        await #expect(throws: StoreError.self) {
            try await store.perform { try $0.execute(sql: "UPDATE attempt SET delivery = 99") }
        }
        await #expect(throws: StoreError.self) {
            try await store.perform { try $0.execute(sql: "DELETE FROM firing") }
        }
        try await store.close()
    }

    @Test("a revision of a sink with the 32 digits that earlier versions wrote is the one of today")
    func revision() async throws {
        let scratch = try Scratch()
        let store = try SQLiteStore(path: scratch.path)
        let sink = SinkSpec(name: "chat", kind: "exec", options: Node(.scalar("true")), directory: "/")
        try await store.advance(Advance(sinks: [sink]), now: .at(0))
        try await store.perform { try $0.execute(sql: "UPDATE sink SET revision = revision || '0123456789abcdef0'") }
        let written = try await store.advance(
            Advance(firings: [.sample("a"), .sample("b")]), andClaim: .sample(limit: 1), now: .at(0))
        let claimed = try await store.claim(.sample(), now: .at(0))
        #expect((written.claimed + claimed).map(\.sinkRevision) == [sink.revision, sink.revision])
        try await store.close()
    }
}
