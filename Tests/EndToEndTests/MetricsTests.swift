import Foundation
import Glibc
import Testing

/// Metrics and probes of the real program: what each fault shows, and what it does not.
@Suite("Metrics of the daemon")
struct MetricsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The samples of an answer in the text format, by name and labels as written.
    private static func samples(_ text: String) -> [String: Double] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.reduce(into: [:]) { samples, line in
            guard let space = line.lastIndex(of: " ") else { return }
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
    }

    /// Asks for the metrics until they are as wanted.
    @discardableResult
    private func metrics(
        _ port: Int, _ what: String, until isWanted: ([String: Double]) -> Bool
    ) async throws -> [String: Double] {
        let answer = try await WebAnswer.get(port, "/metrics", what) { isWanted(Self.samples($0.body)) }
        return Self.samples(answer.body)
    }

    private func expect(_ port: Int, healthy: String, ready: String) async throws {
        #expect(try await WebAnswer.get(port, "/healthz").body == healthy + "\n")
        try await WebAnswer.get(port, "/readyz", ready) { $0.body == ready + "\n" }
        let isReady = try await WebAnswer.get(port, "/readyz").status == 200
        #expect(isReady == (ready == "ready"))
    }

    private static let dead = #"tminus_outbox_deliveries{state="dead"}"#

    @Test("the counters agree with what the run wrote to the store")
    func counters() async throws {
        let timers = (0..<20).map { number in
            "  t\(number): { duration: 1ms, on-expiry: [\(number % 5 == 0 ? "bad" : "good")] }\n"
        }
        try scratch.save(
            "a.yaml",
            "sinks: { good: { exec: [\"true\"] }, bad: { exec: [\"false\"] } }\n"
                + "timers:\n\(timers.joined())  off: { duration: 1h, start: manual, enabled: false }\n"
                + "events: { launch: { at: 2099-12-01 09:00, timezone: UTC, remind: [1 day] } }\n")
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        let port = try await daemon.port()
        let found = try await metrics(port, "all ends") { samples in
            let ends = samples.filter { $0.key.hasPrefix("tminus_deliveries_total{") }
            return ends.values.reduce(0, +) == 20 && samples[Self.dead] == 4
        }
        let rows = try await scratch.query("SELECT state, count(*) FROM delivery GROUP BY state ORDER BY state")
        #expect(rows == ["dead|4", "delivered|16"])
        #expect(found[#"tminus_deliveries_total{sink="good",outcome="delivered"}"#] == 16)
        #expect(found[#"tminus_deliveries_total{sink="bad",outcome="dead"}"#] == 4)
        #expect(found[#"tminus_delivery_attempts_total{sink="good",result="delivered"}"#] == 16)
        #expect(found[#"tminus_delivery_attempts_total{sink="bad",result="dead"}"#] == 4)
        #expect(found[#"tminus_firings_total{action="expiry"}"#] == 20)
        #expect(found[#"tminus_delivery_lateness_seconds_count{action="expiry"}"#] == 20)
        #expect(found[#"tminus_delivery_attempt_duration_seconds_count{kind="exec"}"#] == 20)
        #expect(found[#"tminus_definitions{kind="timer",state="expired"}"#] == 20)
        #expect(found[#"tminus_definitions{kind="timer",state="disabled"}"#] == 1)
        #expect(found[#"tminus_definitions{kind="event",state="upcoming"}"#] == 1)
        #expect(found["tminus_config_definitions"] == 22)
        // 2099-11-30 09:00 UTC: the reminder.
        #expect(found["tminus_next_due_timestamp_seconds"] == 4_099_712_400)
        #expect((found["process_resident_memory_bytes"] ?? 0) > 1_000_000)
        #expect((found["process_open_fds"] ?? 0) > 3)
        #expect((found["tminus_store_size_bytes"] ?? 0) > 4_096)
        let start = try #require(found["process_start_time_seconds"])
        #expect(abs(start - Date().timeIntervalSince1970) < 3_600)
        #expect(found.count < 1_000)
        // A dead delivery is for a person, not for a probe.
        try await expect(port, healthy: "ok", ready: "ready")
        #expect(try await daemon.stop() == 0)
    }

    @Test("a broken file shows in the metrics alone")
    func brokenFile() async throws {
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        let port = try await daemon.port()
        let good = try await metrics(port, "a first load") { $0["tminus_config_last_reload_successful"] == 1 }
        #expect(good[#"tminus_config_files{state="ok"}"#] == 1)
        #expect((good["tminus_config_last_reload_success_timestamp_seconds"] ?? 0) > 1_700_000_000)
        try scratch.save("b.yaml", "timers: { wrong: { duratoin: 1h } }\n")
        let broken = try await metrics(port, "the broken file") { $0["tminus_config_last_reload_successful"] == 0 }
        #expect(broken[#"tminus_config_files{state="ok"}"#] == 1)
        #expect(broken[#"tminus_config_reloads_total{result="failure"}"#] == 1)
        #expect(broken["tminus_config_definitions"] == 1 && broken["tminus_ready"] == 1)
        try await expect(port, healthy: "ok", ready: "ready")
        try scratch.remove("b.yaml")
        try await metrics(port, "order again") { $0["tminus_config_last_reload_successful"] == 1 }
        try await daemon.stop()
    }

    @Test("a store that cannot be written is not ready, and healthy")
    func lockedStore() async throws {
        try scratch.save("a.yaml", "timers: { beat: { duration: 1s, repeat: immediately } }\n")
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        try await daemon.ready()
        let port = try await daemon.port()
        try await expect(port, healthy: "ok", ready: "ready")
        let holder = try Program("python3", ["-c", Self.holder, "\(scratch.state)/tminus.sqlite"])
        try await holder.output.first("the lock") { $0 == "held" }
        try await expect(port, healthy: "ok", ready: "not ready: store")
        try await metrics(port, "the error") {
            ($0[#"tminus_store_errors_total{verb="commit"}"#] ?? 0) >= 1 && $0["tminus_ready"] == 0
        }
        holder.send(SIGKILL)
        try await holder.end()
        try await expect(port, healthy: "ok", ready: "ready")
        try await daemon.stop()
    }

    private static let holder = """
        import sqlite3, sys, time
        store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
        store.execute("BEGIN IMMEDIATE")
        print("held", flush=True)
        # Holds the lock until it is killed.
        time.sleep(3600)
        """

    @Test("a full disk is not ready, and healthy, and ends by itself", .enabled(if: geteuid() == 0, "needs to mount"))
    func fullDisk() async throws {
        let timers = (0..<40).map { "  beat\($0): { duration: 1s, repeat: immediately }\n" }
        try scratch.save("a.yaml", "timers:\n" + timers.joined())
        // In a mount namespace of its own; 99: the machine does not allow it.
        let script = """
            mount -t tmpfs -o size=16m,mode=700 tmpfs "$2" || exit 99
            exec "$0" run --config "$1" --state "$2" --listen 127.0.0.1:0
            """
        let program = try Program(
            "unshare", ["-m", "/bin/sh", "-c", script, Program.tminus, scratch.config, scratch.state])
        let line = try? await program.errors.first("an open port") { $0.contains("HTTP open") }.text
        guard let port = line?.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.output.1) }) else {
            #expect([1, 99].contains(try await program.end()), "\(program.errors.texts)")
            return
        }
        try await expect(port, healthy: "ok", ready: "ready")
        let disk = "/proc/\(program.id)/root\(scratch.state)"
        let fill = try Program("/bin/sh", ["-c", "cat /dev/zero >\"$0/fill\"", disk])
        #expect(try await fill.end() != 0)
        try await expect(port, healthy: "ok", ready: "not ready: store")
        try FileManager.default.removeItem(atPath: "\(disk)/fill")
        try await expect(port, healthy: "ok", ready: "ready")
        program.send(SIGTERM)
        #expect(try await program.end() == 0)
    }

    @Test("a daemon that stops is not ready, and healthy, and its metrics can be read to the end")
    func stopping() async throws {
        // The command ends when the test makes the file; a shell can only look for it.
        try scratch.save(
            "a.yaml",
            "timers: { now: { duration: 1ms, on-expiry: [{ shell: 'echo >>begun; until [ -e go ]; do sleep 0.05; done' }] } }\n"
        )
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        let port = try await daemon.port()
        try await scratch.lines(1, of: "begun")
        try await metrics(port, "the running command") { $0[#"tminus_deliveries_running{sink="shell"}"#] == 1 }
        // It asks already when the daemon stops, which waits for the command no longer than 25 s.
        let asking = try Program("python3", ["-c", Self.asking, "\(port)"])
        try await asking.output.first("an answer before the stop") { $0.contains("/metrics") }
        daemon.program.send(SIGTERM)
        let stopping = try await asking.output.first("the stop") { $0.contains(#""not ready: stopping\n""#) }
        let health = try await asking.output.first("the health", since: stopping.arrival) {
            $0.hasPrefix(#"["/healthz""#)
        }
        #expect(health.text == #"["/healthz", 200, "ok\n"]"#)
        let found = try await asking.output.first("the metrics") { $0.contains(#"\ntminus_ready 0\n"#) }
        #expect(found.text.contains(#"\ntminus_deliveries_running{sink=\"shell\"} 1\n"#))
        let probe = try Program(Program.tminus, ["status", "--ready", "--state", scratch.state])
        #expect(try await probe.end() == 69)
        try scratch.save("go", "")
        #expect(try await daemon.program.end() == 0)
    }

    /// Asks for health, readiness and metrics again and again, each over a connection of its own.
    private static let asking = """
        import http.client, json, sys, time
        while True:
            for path in "/readyz", "/healthz", "/metrics":
                connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=600)
                connection.request("GET", path)
                answer = connection.getresponse()
                print(json.dumps([path, answer.status, answer.read().decode()]), flush=True)
                connection.close()
            # Nobody tells of a change: ask again.
            time.sleep(0.05)
        """

    @Test("the metrics of definitions, by label and up to a limit")
    func definitions() async throws {
        try scratch.save(
            "a.yaml",
            """
            timers:
              done: { duration: 1ms, on-expiry: [{ exec: ["true"] }], labels: { team: web } }
              failed: { duration: 1ms, on-expiry: [{ exec: ["false"] }], labels: { team: web } }
              fresh: { duration: 1h, start: manual, labels: { team: ops } }
            """)
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        let port = try await daemon.port()
        let path = "/metrics/definitions"
        let success = "tminus_definition_last_delivery_success"
        let timestamp = "tminus_definition_last_delivery_timestamp_seconds"
        let answer = try await WebAnswer.get(port, path, "both ends") { answer in
            let found = Self.samples(answer.body)
            return found[#"\#(success){id="done"}"#] == 1
                && found[#"\#(timestamp){id="failed",outcome="failed"}"#].map { $0 > 0 } == true
        }
        let all = Self.samples(answer.body)
        #expect(all.count == 3 * 6 + 1 && all["tminus_definitions_truncated"] == 0)
        #expect(all[#"\#(success){id="failed"}"#] == 0 && all[#"\#(success){id="fresh"}"#] == 0)
        #expect(all[#"\#(timestamp){id="fresh",outcome="delivered"}"#] == 0)
        #expect(all[#"tminus_definition_next_due_timestamp_seconds{id="fresh"}"#] == 0)
        let web = Self.samples(try await WebAnswer.get(port, "\(path)?label=team:web").body)
        #expect(web.count == 2 * 6 + 1 && web[#"\#(success){id="fresh"}"#] == nil)
        let two = Self.samples(try await WebAnswer.get(port, "\(path)?limit=2").body)
        #expect(two.count == 2 * 6 + 1 && two["tminus_definitions_truncated"] == 1)
        for query in ["limit=0", "limit=x", "limit=1000001", "label=team", "label=:web"] {
            #expect(try await WebAnswer.get(port, "\(path)?\(query)").status == 400, "\(query)")
        }
        let strict = try await WebAnswer.get(port, path, ["Accept": "application/openmetrics-text"])
        #expect(strict.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(strict.body.hasSuffix("\n# EOF\n"))
        try await daemon.stop()
    }
}
