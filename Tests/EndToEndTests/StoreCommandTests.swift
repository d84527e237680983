import Foundation
import Glibc
import PostgresTestServer
import Testing
import TminusTestKit

/// `tminus store check|setup|move` with real stores.
@Suite(
    "Check, set up and move a store", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct StoreCommandTests {
    private typealias Answer = (status: CInt, output: String, errors: String)

    private func store(_ words: String...) async throws -> Answer {
        let program = try Program(Program.tminus, ["store"] + words)
        let status = try await program.end()
        return (status, program.output.texts.joined(separator: "\n"), program.errors.texts.joined(separator: "\n"))
    }

    private func file(_ scratch: Scratch) -> String { "\(scratch.state)/tminus.sqlite" }

    /// A store with definitions that have a history and deliveries that wait, as a daemon leaves it.
    private func fill(_ scratch: Scratch, _ count: Int) async throws {
        try scratch.save("t.yaml", "timers: { tea: { duration: 1ms, on-expiry: [{ webhook-file: out.ndjson }] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await scratch.lines(1, of: "out.ndjson")
        try await daemon.stop()
        guard count > 0 else { return }
        try await scratch.change(
            """
            CREATE TEMP TABLE n AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT \(count)) SELECT n FROM c;
            INSERT INTO schedule SELECT 'd' || n, kind, fingerprint, leads, phase, "cursor", start, deadline, n, removed,
                held_since, added, laps, overrides, disabled FROM schedule, n;
            INSERT INTO firing SELECT 1000 + n, 'd' || n, f.occurrence, f.action, f.kind, f.due, f.payload, f.created,
                f.on_failure FROM firing f, n WHERE f.id = (SELECT min(id) FROM firing);
            INSERT INTO delivery (number, id, firing, definition, occurrence, sink, state, overlap, attempt, tries, since,
                next_attempt, reason, created, settled)
                SELECT 1000 + n, printf('%032x', n), 1000 + n, 'd' || n, d.occurrence, d.sink,
                iif(n % 10, 'delivered', 'pending'), d.overlap, 1, 1, d.since, iif(n % 10, NULL, d.created + 3600000000000 * n),
                NULL, d.created, iif(n % 10, d.created + n, NULL)
                FROM delivery d, n WHERE d.number = (SELECT min(number) FROM delivery);
            INSERT INTO attempt SELECT 1000 + n, 1, n, n + 1, 'retry', 'busy ' || n, NULL FROM n WHERE n % 10 = 0;
            INSERT INTO omission (definition, occurrence, action, due, reason, count, recorded)
                SELECT 'd' || n, n, 'expiry', n, 'too-late', 1, n FROM n WHERE n % 7 = 0;
            """)
    }

    /// The hash of every table of a store in a file, without the numbers that the database gives.
    private func sums(_ path: String) async throws -> [String] {
        let columns = [
            ("schedule", "*", "definition"), ("sink", "*", "key"), ("firing", "*", "id"), ("delivery", "*", "number"),
            ("attempt", "*", "delivery, number"), ("session", "*", "digest"), ("ad_hoc", "*", "definition"),
            ("omission", "definition, occurrence, action, due, reason, count, recorded, note", "id"),
            ("control", "definition, control, author, at, note", "id"),
            ("kept_file", "root, path, hex(content), digest, written", "id"), ("general_mute", "*", "id"),
        ]
        var sums: [String] = []
        for (table, columns, order) in columns {
            let command = "sqlite3 -readonly '\(path)' 'SELECT \(columns) FROM \(table) ORDER BY \(order)' | sha256sum"
            let tool = try Program("sh", ["-c", command])
            guard try await tool.end() == 0 else { throw Waiting.Vain(what: command, seen: tool.errors.texts) }
            sums.append("\(table) \(tool.output.texts.joined())")
        }
        return sums
    }

    @Test("a daemon goes on where it was after a move to PostgreSQL, and again after the move back")
    func goesOn() async throws {
        let database = try await Cluster.shared().database()
        let scratch = try Scratch()
        try await fill(scratch, 0)
        let there = try await store("move", file(scratch), database)
        #expect(there.status == 0, "\(there)")
        #expect(there.output.contains("\n  schedule 1\n") && there.output.contains("\n  delivery 1\n"), "\(there)")
        // The timer has expired already. The new one shows that the daemon runs.
        try scratch.save("new.yaml", "timers: { new: { duration: 1ms, on-expiry: [{ webhook-file: out.ndjson }] } }\n")
        let daemon = try RunningDaemon(in: scratch, ["--store", database])
        try await scratch.lines(2, of: "out.ndjson")
        let refused = try await store("move", database, "\(scratch.path)/back.sqlite")
        #expect(refused.status == 74 && refused.errors.contains("another daemon uses this database"), "\(refused)")
        try await daemon.stop()
        let back = try await store("move", database, "\(scratch.path)/back.sqlite")
        #expect(back.status == 0 && back.output.contains("\n  delivery 2\n"), "\(back)")
        let again = try RunningDaemon(in: scratch, ["--store", "\(scratch.path)/back.sqlite"])
        try await again.ready()
        try scratch.save(
            "last.yaml", "timers: { last: { duration: 1ms, on-expiry: [{ webhook-file: out.ndjson }] } }\n")
        let lines = try await scratch.lines(3, of: "out.ndjson")
        try await again.stop()
        #expect(lines.count == 3)
    }

    @Test("definitions with history are equal after a move there and back, and the first store is untouched")
    func thereAndBack() async throws {
        let database = try await Cluster.shared().database()
        let scratch = try Scratch()
        try await fill(scratch, 5_000)
        let (first, second) = (file(scratch), "\(scratch.path)/back.sqlite")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: first))
        #expect(try await store("move", first, database).status == 0)
        #expect(try await store("move", database, "sqlite:\(second)").status == 0)
        #expect(try await sums(first) == sums(second))
        #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == bytes)
        let filled = try await store("move", first, database)
        #expect(filled.status == 74 && filled.errors.contains("is not empty: the table 'sink' has rows"), "\(filled)")
        let taken = try await store("move", database, second)
        #expect(taken.status == 74 && taken.errors.contains("back.sqlite: is there already"), "\(taken)")
    }

    /// Kills a move when it waits for what a statement in the database has locked.
    private func killMove(
        from source: String, to target: String, lockedBy statement: String, in database: String
    ) async throws {
        let cluster = try await Cluster.shared()
        // A prepared transaction keeps its locks without a connection, so no process has to stay.
        let name = "'\(database)'"
        try await cluster.query("BEGIN; \(statement); PREPARE TRANSACTION \(name)", in: database)
        let move = try Program(Program.tminus, ["store", "move", source, target])
        try await Bounded.value("a move that waits") {
            let waits = """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """
            while try await cluster.query(waits, in: database).isEmpty {}
        }
        move.send(SIGKILL)
        #expect(try await move.end() == 128 + SIGKILL)
        try await cluster.query("ROLLBACK PREPARED \(name)", in: database)
    }

    @Test("of a move that was killed no daemon uses the target, and the next move begins anew")
    func killed() async throws {
        let cluster = try await Cluster.shared()
        let database = try await cluster.database()
        let scratch = try Scratch()
        try await fill(scratch, 5_000)
        let (first, second) = (file(scratch), "\(scratch.path)/back.sqlite")
        #expect(try await store("setup", database).status == 0)
        // The same key that the move adds.
        let row = """
            INSERT INTO tminus.schedule (definition, kind, fingerprint, leads, phase, "cursor", occurrences, added)
            VALUES ('d4999', 'timer', 0, 0, 'idle', 0, 0, 0)
            """
        try await killMove(from: first, to: database, lockedBy: row, in: database)
        #expect(try await cluster.query("SELECT count(*) FROM tminus.sink", in: database) == ["1"])
        let other = try Scratch()
        let daemon = try RunningDaemon(in: other, ["--store", database])
        #expect(try await daemon.program.end() == 74)
        #expect(daemon.errors.texts.joined().contains("a move into this database did not end"))
        #expect(try await store("check", database).status == 65)
        #expect(try await store("move", first, database).status == 0)
        let lock = "LOCK TABLE tminus.delivery IN ACCESS EXCLUSIVE MODE"
        try await killMove(from: database, to: second, lockedBy: lock, in: database)
        #expect(FileManager.default.fileExists(atPath: "\(second).moving-wal"))
        #expect(!FileManager.default.fileExists(atPath: second))
        #expect(try await store("move", database, second).status == 0)
        #expect(try await sums(first) == sums(second))
        #expect(!FileManager.default.fileExists(atPath: "\(second).moving"))
    }

    @Test("a check says what is there, and a setup prepares a database for a daemon that owns nothing")
    func prepares() async throws {
        let cluster = try await Cluster.shared()
        let database = try await cluster.database()
        let role = "role_\(UInt64.random(in: 0 ... .max))"
        #expect(try await store("setup", database, "--role", role).status == 0)
        let worker = database.replacing("tminus@", with: "\(role)@")
        let check = try await store("check", worker)
        #expect(check.status == 0 && check.output.contains("rights      all that a daemon needs"), "\(check)")
        let scratch = try Scratch()
        try scratch.save("t.yaml", "timers: { tea: { duration: 1ms, on-expiry: [{ webhook-file: out.ndjson }] } }\n")
        let daemon = try RunningDaemon(in: scratch, ["--store", worker])
        try await scratch.lines(1, of: "out.ndjson")
        #expect(try await store("check", worker).output.contains("process \(daemon.program.id)"))
        try await daemon.stop()
        let print = try await store("setup", "--print", "--role", role)
        #expect(print.status == 0 && print.output.hasPrefix("BEGIN;\nCREATE SCHEMA"), "\(print)")
        let absent = try await store("check", "\(scratch.path)/none.sqlite")
        #expect(absent.status == 0 && absent.output.contains("there is no file yet"), "\(absent)")
        for (words, status, text) in [
            (["check", "postgresql://tminus@/none?host=/nowhere"], 74, "no connection"),
            (["setup", "\(scratch.path)/none.sqlite"], 64, "needs no setup"),
            (["setup", "--role", "A-b", "--print"], 64, "--role: expected lower-case letters"),
            (["move", "mysql://x", database], 64, "expected a path, sqlite:PATH or postgresql://"),
            (["move", database, database], 64, "a store cannot be moved to where it is"),
            (["move", "\(scratch.path)/none.sqlite", database], 74, "there is no store"),
        ] as [([String], CInt, String)] {
            let program = try Program(Program.tminus, ["store"] + words)
            #expect(try await program.end() == status, "\(words)")
            #expect(program.errors.texts.joined().contains(text), "\(program.errors.texts)")
        }
    }
}
