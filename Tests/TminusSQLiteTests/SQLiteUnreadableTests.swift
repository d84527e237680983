import GRDB
import Testing
import TminusCore
import TminusStorage

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

    @Test(
        "a delivery that cannot be read is dead, its claim goes to another, and its expiry ends",
        arguments: [
            ("payload = '{'", "payload"), ("payload = '{}'", "payload"), ("payload = ''", "payload"),
            ("payload = printf('%.*c', 100000, '[')", "payload"), ("kind = 'nonsense'", "firing"),
        ])
    func unreadable(_ change: String, _ what: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let firings = [try Firing.sample("a"), try .sample("b", to: ["chat", "mail"]), try .sample("c")]
        let ids = firings[1].targets.map(\.delivery)
        let state = ScheduleState(
            id: firings[1].definition, kind: .timer, fingerprint: 1, leads: 2, phase: .acting, cursor: .at(0),
            start: .at(-60), deadline: .at(0))
        _ = try await store.commit(Commit(schedules: [state], firings: firings), now: .at(0))
        try await execute(store, "UPDATE firing SET \(change) WHERE definition = 'b'")
        let committed = try await store.commit(Commit(claim: .sample(limit: 2)), now: .at(0))
        #expect(committed.claimed.map(\.definition.rawValue) == ["a", "c"])
        #expect(committed.claimed.map(\.attempt) == [1, 1])
        #expect(committed.unreadable == ids)
        #expect(committed.endedExpiries == [EndedExpiry(definition: state.id, occurrence: .at(0))])
        let dead = "dead: its stored \(what) cannot be read"
        #expect(try await store.states() == ["claimed", dead, dead, "claimed"])
        #expect(try await store.retry(DeliveryFilter(ids: ids), now: .at(1)) == 2)
    }

    @Test("a delivery whose definition is no id, or whose own id is none, is dead, and keeps no other back")
    func definition() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write(["a", "b", "c"].map { try .sample($0) })
        try await execute(store, "UPDATE firing SET definition = 'no id!' WHERE definition = 'a'")
        try await execute(store, "UPDATE delivery SET id = 'no id!' WHERE definition = 'b'")
        let committed = try await store.commit(Commit(claim: .sample(limit: 1)), now: .at(0))
        #expect(committed.claimed.map(\.definition.rawValue) == ["c"])
        #expect(committed.unreadable == [try Firing.sample("a").targets[0].delivery])
        #expect(try await store.states() == ["dead: its stored firing cannot be read", "claimed"])
    }

    @Test("what is queued behind a delivery that cannot be read is claimed in its place")
    func chain() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("a", at: -1), .sample("a", at: 0)])
        try await execute(store, "UPDATE firing SET payload = '' WHERE occurrence = \(Timestamp.at(-1).nanoseconds)")
        #expect(try await store.claim().map(\.occurrence) == [.at(0)])
    }

    @Test("the end of a delivery is recorded, also when its definition is no id by then")
    func settle() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("a")])
        let claimed = try await store.claim()
        try await execute(store, "UPDATE firing SET definition = 'no id!'")
        #expect(try await store.settle(claimed) == Committed())
        #expect(try await store.states() == ["delivered"])
    }

    @Test("a sink that cannot be read has no spec", arguments: ["", "{", "{}", "[1]"])
    func sink(_ text: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let spec = SinkSpec(name: "chat", kind: "stdout", options: Node(.mapping([])), directory: "/")
        let first = Commit(sinks: [spec], firings: [try .sample("a")], claim: .sample())
        #expect(try await store.commit(first, now: .at(0)).sinks == [spec])
        try await execute(store, "UPDATE sink SET spec = '\(text)'")
        let committed = try await store.commit(Commit(firings: [.sample("b")], claim: .sample()), now: .at(0))
        #expect(committed.sinks.isEmpty)
        #expect(committed.claimed.count == 1)
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
            id: try #require(DefinitionID("a")), kind: .timer, fingerprint: 1, leads: 2, phase: .armed,
            cursor: .at(0), start: .at(-60), deadline: .at(0))
        _ = try await store.commit(Commit(schedules: [state], firings: [.sample("a")]), now: .at(0))
        try await execute(store, "PRAGMA ignore_check_constraints = ON")
        try await execute(store, "UPDATE schedule SET occurrences = \(number)")
        #expect(try await store.snapshot().unreadable == 1)
        try await execute(store, "UPDATE delivery SET attempt = \(max(number, 0)), tries = \(max(number, 0))")
        _ = try? await store.claim()
        // One whose attempts cannot be counted is set aside.
        #expect(try await store.deliveries(DeliveryFilter()).count == (number == .max ? 0 : 1))
    }

    @Test(
        "a row with the last number there is is set aside, and others are written",
        arguments: ["firing SET id", "delivery SET number"])
    func lastNumber(_ change: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("a")])
        try await execute(store, "PRAGMA foreign_keys = OFF")
        try await execute(store, "UPDATE \(change) = 9223372036854775807")
        try await execute(store, "PRAGMA foreign_keys = ON")
        let committed = try await store.commit(Commit(firings: [.sample("b")], claim: .sample()), now: .at(0))
        #expect(committed.claimed.map(\.definition.rawValue) == ["b"])
        #expect(!committed.setAside.isEmpty)
        #expect(store.damagedRows == committed.setAside.count)
    }

    @Test("schedules that cannot be read are counted, and the others are there")
    func schedules() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let states = try ["a", "b", "c"].map { id in
            ScheduleState(
                id: try #require(DefinitionID(id)), kind: .timer, fingerprint: 1, leads: 2, phase: .acting,
                cursor: .at(0), start: .at(-60), deadline: .at(0))
        }
        let firings = try ["a", "b", "c"].map { try Firing.sample($0) }
        _ = try await store.commit(Commit(schedules: states, firings: firings), now: .at(0))
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
        _ = try await store.commit(Commit(schedules: [fresh]), now: .at(1))
        #expect(try await store.snapshot().schedules.map(\.id.rawValue) == ["b", "c"])
        #expect(try await store.snapshot().unreadable == 0)
        #expect(store.damagedRows == 2)
    }
}
