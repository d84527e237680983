import Foundation
import Glibc
import Testing

@Suite("A damaged or held store")
struct DamagedStoreTests {
    private static let last = "9223372036854775807"

    /// What a damaged disk may leave in each table, as statements of sqlite3.
    private static let damage = """
        PRAGMA ignore_check_constraints = ON;
        PRAGMA foreign_keys = OFF;
        UPDATE schedule SET occurrences = -1 WHERE definition = 'idle';
        UPDATE schedule SET phase = phase || char(0) WHERE definition = 'other';
        UPDATE delivery SET attempt = -1 WHERE definition = 'fails';
        UPDATE delivery SET sink = cast(x'ff' AS TEXT) WHERE definition = 'fails2';
        UPDATE delivery SET number = \(last) WHERE definition = 'fails3';
        UPDATE firing SET id = \(last) WHERE definition = 'fails4';
        UPDATE firing SET payload = payload || char(0) WHERE definition = 'fails5';
        UPDATE sink SET title = title || char(0) WHERE name = 'busy';
        UPDATE kept_file SET id = \(last);
        INSERT OR REPLACE INTO general_mute (id, mute) VALUES (1, '{');
        INSERT INTO ad_hoc (definition, document, author, created) VALUES ('no id!', x'00', 'ada', 0);
        INSERT INTO omission (id, definition, occurrence, action, due, reason, count, recorded)
            VALUES (\(last), 'idle', 0, 'expiry', 0, 'too-late', 1, 0);
        UPDATE attempt SET number = -1 WHERE delivery = (SELECT number FROM delivery WHERE definition = 'fails6');
        """

    /// Tables without types take a text where a number belongs.
    private static let untyped = """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name IN ('delivery', 'schedule', 'sink');
        """
    private static let types = """
        PRAGMA ignore_check_constraints = ON;
        UPDATE delivery SET since = 'yesterday' WHERE definition = 'fails6';
        UPDATE schedule SET "cursor" = 'now' WHERE definition = 'third';
        UPDATE sink SET retired = x'00' WHERE name = 'other-sink';
        """

    @Test("with damaged rows in every table the daemon starts, fires the others, counts them in status, and stops")
    func damaged() async throws {
        let scratch = try Scratch()
        let failing = ["fails", "fails2", "fails3", "fails4", "fails5", "fails6"].map {
            "  \($0): { duration: 100ms, on-expiry: busy }\n"
        }
        try scratch.save(
            "t.yaml",
            """
            sinks:
              busy: { shell: 'echo "$TMINUS_ID" >> tried; exit 75', retry: { first: 1h, max: 1h } }
              other-sink: { shell: 'true' }
            timers:
              idle: { duration: 5h }
              other: { duration: 5h }
              third: { duration: 5h, on-expiry: other-sink }
              good: { duration: 1s, repeat: immediately }
            \(failing.joined())
            """)
        let first = try RunningDaemon(in: scratch)
        try await first.output.first("an expiry") { $0.contains(" good: ") }
        try await scratch.query(
            "SELECT count(*) FROM delivery WHERE state = 'pending' AND attempt > 0", yields: ["\(failing.count)"])
        try await scratch.query("SELECT count(*) FROM kept_file", yields: ["1"])
        #expect(try await first.stop() == 0)
        try await scratch.change(Self.damage)
        try await scratch.change(Self.untyped)
        try await scratch.change(Self.types)

        let second = try RunningDaemon(in: scratch)
        try await second.output.first("an expiry") { $0.contains(" good: ") }
        for table in ["delivery", "firing", "sink", "kept_file", "ad_hoc", "omission", "general_mute"] {
            try await second.errors.first("what is set aside of \(table)") {
                $0.contains("a damaged row of the store is set aside") && $0.contains("table=\(table)")
            }
        }
        try await second.errors.first("what became of the schedules") {
            $0.contains("stored schedules cannot be read: their definitions start from the beginning")
        }
        let count = try await scratch.query("SELECT count(*) FROM damaged")[0]
        #expect(Int(count) ?? 0 >= 14)
        let status = try Program(Program.tminus, ["status", "--state", scratch.state])
        #expect(try await status.end() == 0)
        // What the answer reads may be damaged too, and is set aside then.
        let counts = [count, try await scratch.query("SELECT count(*) FROM damaged")[0]]
        let line = status.output.texts.first { $0.hasPrefix("damaged ") }
        #expect(counts.contains { line?.contains("\($0) rows of the store") == true }, "\(status.output.texts)")
        #expect(
            try await scratch.query("SELECT definition FROM schedule ORDER BY definition").contains("idle"),
            "it starts from the beginning")
        #expect(try await second.stop() == 0)

        // The next start finds nothing more.
        let third = try RunningDaemon(in: scratch)
        try await third.output.first("an expiry") { $0.contains(" good: ") }
        #expect(try await scratch.query("SELECT count(*) FROM damaged") == [count])
        #expect(try await third.stop() == 0)
    }

    @Test("SIGTERM ends the daemon while another program holds the store for longer than a stop may take")
    func held() async throws {
        let scratch = try Scratch()
        try scratch.save("t.yaml", "timers: { good: { duration: 1s, repeat: immediately } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.output.first("an expiry") { $0.contains(" good: ") }
        // It hangs with the lock until it is killed.
        let holder = try Program(
            "sqlite3",
            [
                "-cmd", ".timeout 5000", "\(scratch.state)/tminus.sqlite", "BEGIN IMMEDIATE",
                ".shell sh -c 'echo held; exec sleep 120'",
            ])
        try await holder.output.first("the lock") { $0 == "held" }
        try await daemon.errors.first("what happens to the store") { $0.contains("the store cannot be written") }
        let client = try Program(
            Program.tminus, ["deliveries", "discard", "--definition", "good", "--state", scratch.state])
        // The lock lasts longer than any wait of a test.
        let status = try await daemon.stop()
        #expect([0, 74].contains(status))
        client.send(SIGKILL)
        holder.send(SIGKILL)
    }

    @Test(
        "a second daemon on one store is refused, whatever its state directory and by whatever name it is given the file",
        arguments: ["itself", "symbolic", "hard"])
    func heldStore(name: String) async throws {
        let scratch = try Scratch()
        try scratch.save("t.yaml", "timers: { idle: { duration: 5h } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        let store = "\(scratch.state)/tminus.sqlite"
        let other = name == "itself" ? store : "\(scratch.path)/other.sqlite"
        if name == "symbolic" { try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: store) }
        if name == "hard" { try FileManager.default.linkItem(atPath: store, toPath: other) }
        let second = try Program(
            Program.tminus,
            ["run", "--config", scratch.config, "--state", "\(scratch.path)/elsewhere", "--store", other])
        #expect(try await second.end() == 74)
        #expect(
            second.errors.texts.contains { $0.contains("another tminus uses this store") }, "\(second.errors.texts)")
        let restored = try Program(
            Program.tminus,
            ["restore", "backup.tar", "--no-config", "--state", "\(scratch.path)/elsewhere", "--into", other])
        #expect(try await restored.end() == 74)
        #expect(
            restored.errors.texts.first?.hasSuffix(": a daemon uses this store; stop it, then restore") == true,
            "\(restored.errors.texts)")
        #expect(try await first.stop() == 0)
        // The lock goes with the daemon.
        let third = try RunningDaemon(in: scratch)
        try await third.ready()
        #expect(try await third.stop() == 0)
    }
}
