import Foundation
import Glibc
import PostgresTestServer
import Testing

/// The daemon with its store in a PostgreSQL database: `tminus run --store postgresql://…`.
@Suite(
    "A daemon on PostgreSQL", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct PostgresDaemonTests {
    private func run(_ words: String...) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, words)
        return (try await program.end(), program.output.texts, program.errors.texts)
    }

    @Test("a delivery interrupted by kill -9 is sent at the next start, at once and with the same id")
    func killed() async throws {
        let store = try await Cluster.shared().database()
        let scratch = try Scratch()
        // The first attempt hangs, for the daemon to be killed while it runs.
        try scratch.save(
            "t.yaml",
            """
            timers:
              done: { duration: 100ms, on-expiry: [{ webhook-file: done.ndjson }] }
              slow:
                duration: 200ms
                on-expiry:
                  - shell: |
                      echo "$TMINUS_DELIVERY" >>begun
                      if [ "$TMINUS_ATTEMPT" = 1 ]; then sleep 3600; exit 75; fi
                      echo "$TMINUS_DELIVERY" >>ended
                    timeout: 1h

            """)
        let first = try RunningDaemon(in: scratch, ["--store", store])
        try await scratch.lines(1, of: "begun")
        try await scratch.lines(1, of: "done.ndjson")
        try await first.kill()

        let second = try RunningDaemon(in: scratch, ["--store", store])
        let ended = try await scratch.lines(1, of: "ended")
        let status = try await run("status", "--state", scratch.state, "--json")
        #expect(status.output.joined().contains("postgresql:"), "\(status)")
        #expect(try await second.stop() == 0)
        #expect(!second.errors.texts.contains { $0.contains("waits until the lease") })
        #expect(scratch.lines("begun") == [ended[0], ended[0]])
        // The kill may have come before the end was written; then it is sent again, with the same id.
        let done = try scratch.lines("done.ndjson").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(Set(done.map { $0?["id"] as? String }).count == 1)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.state)/tminus.sqlite"))
    }

    @Test("while the database is down, status, readiness and log say so; deliveries wait, and go out when it is back")
    func outage() async throws {
        let cluster = try await Cluster.started()
        let store = try await cluster.database()
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--store", store])
        let port = try await daemon.port()
        try await WebAnswer.get(port, "/readyz", "readiness") { $0.status == 200 }
        try await cluster.stop()
        // Nothing is due: the daemon notices by itself.
        try await daemon.errors.first("the trouble") { $0.contains("the store") && $0.contains("no connection") }
        try await WebAnswer.get(port, "/readyz", "the trouble") { $0.body == "not ready: store\n" }
        let status = try await run("status", "--state", scratch.state, "--exit-code")
        #expect(status.status == 1 && status.output.joined().contains("no connection"), "\(status)")
        #expect(try await WebAnswer.get(port, "/healthz").status == 200)
        try scratch.save("a.yaml", "timers: { tea: { duration: 1ms, on-expiry: [{ shell: echo tea >>ran }] } }\n")
        try await cluster.start()
        try await scratch.lines(1, of: "ran")
        try await WebAnswer.get(port, "/readyz", "readiness") { $0.status == 200 }
        #expect(try await daemon.stop() == 0)
        #expect(scratch.lines("ran") == ["tea"])
    }

    @Test("a second daemon is refused; it starts when the lease of a stopped one is over, and that one then ends")
    func second() async throws {
        let store = try await Cluster.shared().database()
        let (one, two) = (try Scratch(), try Scratch())
        try one.save("a.yaml", "timers: { tick: { duration: 1s, repeat: immediately } }\n")
        try two.save("a.yaml", "timers: { tick: { duration: 1s, repeat: immediately } }\n")
        let first = try RunningDaemon(in: one, ["--store", store])
        try await first.output.first("an expiry") { $0.contains(" tick: ") }
        let refused = try RunningDaemon(in: two, ["--store", store])
        #expect(try await refused.program.end() == 74)
        #expect(
            refused.errors.texts.contains {
                $0.contains("another daemon uses this database") && $0.contains("process \(first.program.id)")
            }, "\(refused.errors.texts)")

        first.program.send(SIGSTOP)
        let second = try RunningDaemon(in: two, ["--store", store])
        try await second.output.first("an expiry") { $0.contains(" tick: ") }
        first.program.send(SIGCONT)
        #expect(try await first.program.end() == 74)
        #expect(
            first.errors.texts.contains { $0.contains("another daemon has taken this database over") },
            "\(first.errors.texts)")
        #expect(try await second.stop() == 0)
    }

    @Test("an address with a password is refused, and is repeated nowhere")
    func password() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch, ["--store", "postgresql://tminus:sesame@127.0.0.1/db"])
        #expect(try await daemon.program.end() == 74)
        let texts = daemon.errors.texts + daemon.output.texts
        #expect(texts.contains { $0.contains("contains a password") && $0.contains("~/.pgpass") }, "\(texts)")
        #expect(!texts.contains { $0.contains("sesame") }, "\(texts)")
    }

    @Test("commands that read SQLite say what to do instead, and doctor connects to the database that it is given")
    func commands() async throws {
        let store = try await Cluster.shared().database()
        let scratch = try Scratch()
        let places = ["--config", scratch.config, "--state", scratch.state, "--store", store]
        let backup = try Program(Program.tminus, ["backup", "\(scratch.path)/a.tar"] + places)
        #expect(try await backup.end() == 64)
        #expect(backup.errors.texts.joined().contains("pg_dump --schema=tminus"), "\(backup.errors.texts)")
        let doctor = try Program(Program.tminus, ["doctor"] + places)
        _ = try await doctor.end()
        #expect(!doctor.output.texts.joined().contains("the database"), "\(doctor.output.texts)")
        let nowhere = try Program(
            Program.tminus, ["doctor"] + places.dropLast() + ["postgresql://tminus@/none?host=/nowhere"])
        #expect(try await nowhere.end() == 65)
        #expect(nowhere.output.texts.joined(separator: "\n").contains("no connection"), "\(nowhere.output.texts)")
    }
}
