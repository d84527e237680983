import GRDB
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: damaged rows are set aside")
struct SQLiteDamageTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// One damage of one row, and the table that then misses it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let table: String
        let change: String

        init(_ table: String, _ change: String) {
            (self.table, self.change) = (table, change)
        }

        var testDescription: String { "\(table): \(change.prefix(60))" }
    }

    static let last = "9223372036854775807"

    static let damages = [
        Damage("firing", "id = \(last)"), Damage("firing", "id = -1"), Damage("firing", "occurrence = 'text'"),
        Damage("firing", "definition = 'a' || char(0)"), Damage("firing", "definition = 17"),
        Damage("firing", "payload = x'00'"), Damage("firing", "due = NULL"), Damage("firing", "created = \(last)"),
        Damage("firing", "action = cast(x'ff' AS TEXT)"), Damage("firing", "kind = 'expiry' || char(0)"),
        Damage("delivery", "number = \(last)"), Damage("delivery", "attempt = -1"),
        Damage("delivery", "attempt = \(last)"), Damage("delivery", "tries = 'many'"),
        Damage("delivery", "interrupted = -5"), Damage("delivery", "next_attempt = \(last)"),
        Damage("delivery", "next_attempt = -\(last)"), Damage("delivery", "next_attempt = NULL"),
        Damage("delivery", "since = 1.5"), Damage("delivery", "sink = 'chat' || char(0)"),
        Damage("delivery", "sink = cast(x'ff' AS TEXT)"), Damage("delivery", "sink = x'ff'"),
        Damage("delivery", "state = 'lost'"), Damage("delivery", "state = 'claimed'"),
        Damage("delivery", "overlap = 'nonsense'"), Damage("delivery", "id = 'short'"),
        Damage("delivery", "expires = 'never'"), Damage("delivery", "firing = 4711"),
        Damage("delivery", "definition = 'no id!'"), Damage("delivery", "claim_until = 'x'"),
        Damage("sink", "spec = 5"), Damage("sink", "\"key\" = cast(x'ff' AS TEXT)"),
        Damage("sink", "retired = \(last)"),
        Damage("omission", "id = \(last)"),
        Damage("kept_file", "id = \(last)"), Damage("kept_file", "content = 'text'"), Damage("kept_file", "path = 5"),
        Damage("ad_hoc", "definition = 'no id!'"), Damage("ad_hoc", "document = 5"), Damage("ad_hoc", "created = 'x'"),
        Damage("session", "level = 'socket'"), Damage("session", "used = \(last)"), Damage("session", "name = 5"),
        Damage("general_mute", "mute = '{'"), Damage("general_mute", "mute = 5"),
        Damage("general_mute", "mute = '{}' || char(0)"),
    ]

    /// A store with one row of `a` in each table, all of it readable.
    private func filled() async throws -> SQLiteStore {
        let store = try SQLiteStore(path: scratch.path)
        let id = try #require(DefinitionID("a"))
        let spec = SinkSpec(name: "chat", kind: "stdout", options: Node(.mapping([])), directory: "/")
        let state = ScheduleState(
            id: id, kind: .timer, fingerprint: 1, leads: 2, phase: .armed, cursor: .at(0), start: .at(-60),
            deadline: .at(60))
        let omission = Omission(
            definition: id, occurrence: .at(-60), action: .expiry, due: .at(-60), reason: .tooLate, count: 1)
        let origin = Overrides.Origin(by: "ada", at: .at(0))
        _ = try await store.commit(
            Commit(
                sinks: [spec], schedules: [state], firings: [.sample("a")], omissions: [omission],
                mute: .until(Overrides.Mute(until: .at(3_600), origin: origin))),
            now: .at(0))
        try await store.keep([KeptFile(path: "a", content: [1])], forget: [], root: "/", now: .at(0))
        try await store.add(AdHocDefinition(id: id, document: [1], by: "ada", created: .at(0)))
        try await store.keep(
            WebSession(
                digest: "d", name: "lobby", token: nil, level: .read, address: "::1", made: .at(0), used: .at(0)))
        return store
    }

    /// Changes rows as a damaged disk does: nothing is checked.
    private func damage(_ table: String, _ change: String) throws {
        func execute(_ sql: String) throws {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: scratch.path, configuration: configuration)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
        }
        let schema = "SELECT sql FROM sqlite_master WHERE name = '\(table)'"
        let queue = try DatabaseQueue(path: scratch.path)
        let text = try #require(try queue.inDatabase { try String.fetchOne($0, sql: schema) })
        try queue.close()
        // Without types and checks the table takes everything; then it gets its own form back.
        var columns = text
        for (written, lenient) in [
            ("TEXT NOT NULL", "TEXT"), ("INTEGER NOT NULL", "INTEGER"), ("BLOB NOT NULL", "BLOB"),
            (") STRICT, WITHOUT", ") WITHOUT"), (") STRICT", ")"), ("TEXT", "BLOB"),
            ("INTEGER PRIMARY KEY", "@"), ("INTEGER", "BLOB"), ("@", "INTEGER PRIMARY KEY"),
        ] {
            columns = columns.replacing(written, with: lenient)
        }
        func quoted(_ text: String) -> String { text.replacing("'", with: "''") }
        func rewrite(_ text: String) -> String {
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = '\(quoted(text))' WHERE name = '\(table)';
            PRAGMA writable_schema = OFF
            """
        }
        try execute(rewrite(columns))
        try execute("PRAGMA ignore_check_constraints = ON; UPDATE \(table) SET \(change)")
        try execute(rewrite(text))
    }

    @Test("a start moves a damaged row of any table to 'damaged', and others are claimed", arguments: damages)
    func start(_ damage: Damage) async throws {
        try await filled().close()
        try self.damage(damage.table, damage.change)
        let store = try SQLiteStore(path: scratch.path)
        let moved = try await store.setAsideDamaged(now: .at(5))
        #expect(moved.contains { $0.table == damage.table }, "\(moved)")
        #expect(store.damagedRows == moved.count)
        let kept = try await store.perform {
            try String.fetchAll($0, sql: #"SELECT DISTINCT "table" FROM damaged ORDER BY 1"#)
        }
        #expect(kept == Set(moved.map(\.table)).sorted())
        // A second start finds nothing, and the number stays.
        #expect(try await store.setAsideDamaged(now: .at(5)).isEmpty)
        #expect(store.damagedRows == moved.count)
        try await expectWorking(store)
    }

    /// Damages that a verb meets without a start between: a sink that is away until the end of time is no error.
    static let laterDamages = damages.filter { $0.change != "retired = \(last)" }

    @Test("a verb that meets a damaged row moves it and goes on", arguments: laterDamages)
    func later(_ damage: Damage) async throws {
        let store = try await filled()
        try self.damage(damage.table, damage.change)
        try await expectWorking(store)
    }

    @Test(
        "a damaged schedule is set aside by the snapshot, and the others are in it",
        arguments: [
            "occurrences = -1", "occurrences = \(last)", "\"cursor\" = \(last)", "\"cursor\" = 'x'",
            "definition = definition || char(0)", "definition = 5", "kind = 'clock'", "phase = 'paused'",
            "added = -1", "laps = '1,x'", "overrides = '{'", "overrides = 5", "fingerprint = NULL",
        ])
    func schedule(_ change: String) async throws {
        let first = try await filled()
        let other = ScheduleState(
            id: try #require(DefinitionID("b")), kind: .timer, fingerprint: 1, leads: 2, phase: .armed, cursor: .at(0),
            start: .at(-60), deadline: .at(60))
        _ = try await first.commit(Commit(schedules: [other]), now: .at(0))
        try await first.close()
        try damage("schedule", "\(change) WHERE definition = 'a'")
        let store = try SQLiteStore(path: scratch.path)
        _ = try await store.setAsideDamaged(now: .at(5))
        let snapshot = try await store.snapshot()
        #expect(snapshot.schedules == [other])
        #expect(snapshot.unreadable == 1)
        #expect(store.damagedRows == 1)
        #expect(try await store.snapshot().unreadable == 0)
        try await expectWorking(store)
    }

    @Test("a damaged attempt or ended delivery is set aside when somebody looks at it")
    func history() async throws {
        let store = try await filled()
        var claimed = try await store.claim()
        try await store.settle(claimed, .retry(at: .at(2), reason: "busy"))
        claimed = try await store.claim(at: 2)
        try await store.settle(claimed, .delivered, at: 3)
        try damage("attempt", "started = 'text'")
        try damage("firing", "due = 'text'")
        #expect(try await store.deliveries(DeliveryFilter()).isEmpty)
        #expect(store.damagedRows >= 2)
        try await expectWorking(store)
    }

    @Test("what follows a damaged delivery takes its turn, and a damaged expiry ends for the timer that waits for it")
    func followers() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let id = try #require(DefinitionID("a"))
        let state = ScheduleState(
            id: id, kind: .timer, fingerprint: 1, leads: 2, phase: .acting, cursor: .at(0), start: .at(-60),
            deadline: .at(0))
        _ = try await store.commit(
            Commit(schedules: [state], firings: [.sample("a"), .sample("a", at: 1)]), now: .at(0))
        try damage("delivery", "attempt = -1 WHERE occurrence = \(Timestamp.at(0).nanoseconds)")
        let committed = try await store.commit(Commit(claim: .sample()), now: .at(1))
        #expect(committed.claimed.map(\.occurrence) == [.at(1)])
        #expect(committed.setAside.map(\.table) == ["delivery"])
        #expect(committed.endedExpiries == [EndedExpiry(definition: id, occurrence: .at(0))])
    }

    @Test("the columns of a damaged row are kept as SQL literals, and go with the history")
    func content() async throws {
        let store = try await filled()
        try damage("delivery", "sink = 'a' || char(0) || '''', attempt = -1")
        _ = try await store.setAsideDamaged(now: .at(0))
        let content = try await store.perform { try String.fetchOne($0, sql: "SELECT content FROM damaged") }
        #expect(content?.contains("attempt = -1\n") == true)
        #expect(content?.contains("sink = X'610027'\n") == true)
        #expect(content?.contains("definition = 'a'\n") == true)
        let month = Timestamp.at(40 * 86_400)
        try await store.prune(.standard, now: month)
        #expect(store.damagedRows == 0)
    }

    /// Every verb works, and another firing is written, claimed and settled.
    private func expectWorking(_ store: SQLiteStore) async throws {
        _ = try await store.releaseClaims(.ofFormerOwners, owner: "new", now: .at(10))
        try await store.releaseFutureWaits(now: .at(10))
        _ = try await store.snapshot()
        _ = try await store.keptFiles(root: "/")
        _ = try await store.adHocDefinitions()
        _ = try await store.commit(Commit(clockStep: .seconds(1)), now: .at(10))
        let committed = try await store.commit(Commit(firings: [.sample("other")], claim: .sample()), now: .at(10))
        let other = committed.claimed.filter { $0.definition.rawValue == "other" }
        #expect(other.count == 1)
        try await store.settle(other, .delivered, at: 11)
        _ = try await store.deliveries(DeliveryFilter(limit: .max))
        _ = try await store.history(of: #require(DefinitionID("a")), before: .at(100), limit: 10)
        try await store.prune(.standard, now: .at(20))
        #expect(try await store.deliveries(DeliveryFilter(states: [.delivered])).count == 1)
    }
}
