import GRDB
import Testing
import TminusCore

@testable import TminusSQLite

@Suite("SQLite store: rows that cannot be read")
struct SQLiteUnreadableTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func execute(_ store: SQLiteStore, _ sql: String) async throws {
        try await store.perform { try $0.execute(sql: sql) }
    }

    private func states(_ store: SQLiteStore) async throws -> [String] {
        try await store.perform {
            try Row.fetchAll($0, sql: "SELECT state, reason FROM delivery ORDER BY number").map { row in
                "\(row["state"] ?? "") \(row["reason"] ?? "")".trimmingSuffix(" ")
            }
        }
    }

    @Test(
        "a delivery that cannot be read is handed out without its payload, and keeps no other back",
        arguments: [
            "payload = '{'", "payload = '{}'", "payload = ''", "kind = 'nonsense'",
            "payload = '\(String(repeating: "[", count: 100_000))'",
        ])
    func payload(_ change: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let firings = [try Firing.sample("a"), try .sample("b", to: ["chat", "mail"]), try .sample("c")]
        try await store.advance(Advance(firings: firings), now: .at(0))
        try await execute(store, "UPDATE firing SET \(change) WHERE definition = 'b'")
        let claimed = try await store.claim(.sample(), now: .at(0))
        #expect(claimed.map(\.definition.rawValue).sorted() == ["a", "b", "b", "c"])
        #expect(claimed.allSatisfy { ($0.payload == nil) == ($0.definition.rawValue == "b") })
        #expect(claimed.map(\.attempt) == [1, 1, 1, 1])
        let ended = try await store.settle(
            claimed.map { Settlement(token: $0.token, id: $0.id, outcome: .dead(reason: "unreadable")) }, now: .at(1))
        #expect(ended.isEmpty, "no schedule waits")
        #expect(try await states(store) == Array(repeating: "dead unreadable", count: 4))
    }

    @Test("a delivery whose definition cannot be one is dead, and keeps no other back")
    func definition() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.advance(Advance(firings: [.sample("a"), .sample("b")]), now: .at(0))
        try await execute(store, "UPDATE firing SET definition = 'no id!' WHERE definition = 'a'")
        let claimed = try await store.claim(.sample(), now: .at(0))
        #expect(claimed.map(\.definition.rawValue) == ["b"])
        #expect(try await states(store) == ["dead its stored firing cannot be read", "claimed"])
    }

    @Test("the end of a delivery is recorded, also when its definition cannot be one by then")
    func settle() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.advance(Advance(firings: [.sample("a")]), now: .at(0))
        let claimed = try await store.claim(.sample(), now: .at(0))
        try await execute(store, "UPDATE firing SET definition = 'no id!'")
        let ended = try await store.settle(
            claimed.map { Settlement(token: $0.token, id: $0.id, outcome: .delivered) }, now: .at(1))
        #expect(ended.isEmpty)
        #expect(try await states(store) == ["delivered"])
    }

    @Test("a sink that cannot be read is as one that is not there", arguments: ["", "{", "{}", "[1]"])
    func sink(_ text: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let spec = SinkSpec(name: "chat", kind: "stdout", options: Node(.mapping([])), directory: "/")
        try await store.advance(Advance(sinks: [spec]), now: .at(0))
        #expect(try await store.sink(SinkKey("chat")) == spec)
        try await execute(store, "UPDATE sink SET spec = '\(text)'")
        #expect(try await store.sink(SinkKey("chat")) == nil)
    }

    @Test(
        "a kept file that cannot be read, or is not what was written, is left out; keeping it anew heals it",
        arguments: ["content = x'00'", "digest = ''", "content = 'text'", "digest = x'ff'"])
    func kept(_ change: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let files = ["a", "b", "c"].map { KeptFile(path: $0, content: Array($0.utf8)) }
        try await store.keep(files, forget: [], root: "/", now: .at(0))
        // A table that checks nothing, as a damaged file does.
        try await execute(store, "ALTER TABLE kept_file RENAME TO good")
        try await execute(store, "CREATE TABLE kept_file AS SELECT * FROM good")
        try await execute(store, "CREATE UNIQUE INDEX kept_file_key ON kept_file (root, path)")
        try await execute(store, "UPDATE kept_file SET \(change) WHERE path = 'b'")
        #expect(try await store.keptFiles(root: "/").files == [files[0], files[2]])
        try await store.keep([files[1]], forget: [], root: "/", now: .at(1))
        #expect(try await store.keptFiles(root: "/").files.map(\.path) == ["a", "b", "c"])
    }

    @Test("counts that cannot be counted on end nothing", arguments: [Int64.max, .min, -1])
    func counts(_ number: Int64) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let state = ScheduleState(
            id: try #require(DefinitionID("a")), kind: .timer, fingerprint: "f", leads: "l", phase: .armed,
            cursor: .at(0), start: .at(-60), deadline: .at(0))
        try await store.advance(Advance(schedules: [state], firings: [.sample("a")]), now: .at(0))
        try await execute(store, "PRAGMA ignore_check_constraints = ON")
        try await execute(store, "UPDATE schedule SET occurrences = \(number)")
        #expect(try await store.snapshot().unreadable == 1)
        try await execute(store, "UPDATE delivery SET attempt = \(max(number, 0)), tries = \(max(number, 0))")
        _ = try? await store.claim(.sample(), now: .at(0))
        #expect(try await store.deliveries(DeliveryFilter()).count == 1)
    }

    @Test("a row with the last number there is keeps others from being written, and does not end the process")
    func lastNumber() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.advance(Advance(firings: [.sample("a")]), now: .at(0))
        try await execute(store, "PRAGMA foreign_keys = OFF")
        try await execute(store, "UPDATE firing SET id = 9223372036854775807")
        await #expect(throws: StoreError.self) { try await store.advance(Advance(firings: [.sample("b")]), now: .at(0)) }
        try await execute(store, "UPDATE firing SET id = 1")
        try await execute(store, "UPDATE delivery SET number = 9223372036854775807")
        await #expect(throws: StoreError.self) {
            try await store.advance(Advance(firings: [.sample("b")]), andClaim: .sample(), now: .at(0))
        }
    }

    @Test("schedules that cannot be read are counted, and the others are there")
    func schedules() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let states = try ["a", "b", "c"].map { id in
            ScheduleState(
                id: try #require(DefinitionID(id)), kind: .timer, fingerprint: "f", leads: "l", phase: .acting,
                cursor: .at(0), start: .at(-60), deadline: .at(0))
        }
        let firings = try ["a", "b", "c"].map { try Firing.sample($0) }
        try await store.advance(Advance(schedules: states, firings: firings), now: .at(0))
        try await execute(store, "PRAGMA ignore_check_constraints = ON")
        try await execute(store, "UPDATE schedule SET definition = 'no id!' WHERE definition = 'a'")
        try await execute(store, "UPDATE schedule SET phase = 'nonsense' WHERE definition = 'c'")
        try await execute(store, "UPDATE firing SET definition = 'no id!' WHERE definition = 'a'")
        let snapshot = try await store.snapshot()
        #expect(snapshot.schedules.map(\.id.rawValue) == ["b"])
        #expect(snapshot.unreadable == 2)
        #expect(snapshot.openExpiries.map(\.definition.rawValue) == ["b"])
        // The definition begins anew, over what cannot be read.
        var fresh = states[2]
        fresh.phase = .armed
        try await store.advance(Advance(schedules: [fresh]), now: .at(1))
        #expect(try await store.snapshot().unreadable == 1)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
