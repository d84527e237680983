import Foundation
import Glibc
import Testing

@Suite("Delivering")
struct DeliveryTests {
    @Test("all five sinks receive the same data of a reminder and an expiry, each with its own id")
    func fiveSinks() async throws {
        let scratch = try Scratch()
        let server = try await WebServer(answers: [204])
        let sinks = "[out, lines, web, in-shell, in-exec]"
        try scratch.save(
            "launch.yaml",
            """
            sinks:
              out: { stdout: , format: json }
              lines: { webhook-file: lines.ndjson }
              web: { webhook: "\(server.url())" }
              in-shell: { shell: "cat >>shell.ndjson" }
              in-exec: { exec: [tee, -a, exec.ndjson] }
            timers:
              launch:
                name: 'Launch, "the" 2nd'
                duration: 20s
                remind: 19s
                on-reminder: \(sinks)
                on-expiry: \(sinks)
                labels: { team: core }

            """)
        let daemon = try RunningDaemon(in: scratch)
        let received = [
            try await daemon.output.lines(2, "two payloads").map(\.text),
            try await scratch.lines(2, of: "lines.ndjson"),
            try await server.requests(2).map(\.body),
            try await scratch.lines(2, of: "shell.ndjson"),
            try await scratch.lines(2, of: "exec.ndjson"),
        ].map { texts in Result { try texts.map { try Event($0) } } }
        let events = try received.map { try $0.get() }
        for (index, type) in ["tminus.reminder", "tminus.expiry"].enumerated() {
            #expect(events.map { $0[index].type } == Array(repeating: type, count: 5))
            // Each attempt has its own lateness.
            #expect(Set(events.map { $0[index].firingData }).count == 1)
            #expect(Set(events.map { $0[index].message }).count == 1)
        }
        #expect(Set(events.joined().map(\.id)).count == 10)
        #expect(Set(events.joined().map(\.subject)) == ["launch"])
        let first = try await server.requests(1)[0]
        #expect(first.headers["content-type"]?.hasPrefix("application/cloudevents+json") == true)
    }

    @Test("a webhook that answers with status 099 makes its delivery dead; the daemon and its next start go on")
    func noStatus() async throws {
        let scratch = try Scratch()
        let server = try Program("python3", ["-u", "-c", Self.wrongStatus])
        let port = try await server.output.first("a port") { _ in true }.text
        try scratch.save(
            "t.yaml", "timers: { t: { duration: 100ms, on-expiry: [{ webhook: 'http://127.0.0.1:\(port)/' }] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.errors.first("a dead delivery") { $0.contains("not a valid HTTP status") }
        try await scratch.query("SELECT state FROM delivery", yields: ["dead"])
        try await daemon.kill()
        let next = try RunningDaemon(in: scratch)
        try await next.ready()
        let listed = try Program(Program.tminus, ["deliveries", "--json", "--state", scratch.state])
        #expect(try await listed.end() == 0)
        #expect(listed.output.texts.joined().contains(#""state":"dead""#), "\(listed.output.texts)")
        #expect(try await next.stop() == 0)
        server.send(SIGKILL)
        try await server.end()
    }

    /// Answers each connection with the status 099.
    private static let wrongStatus = """
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        print(server.getsockname()[1], flush=True)
        while True:
            client, _ = server.accept()
            client.recv(65536)
            client.sendall(b"HTTP/1.1 099 x\\r\\nContent-Length: 0\\r\\n\\r\\n")
            client.close()
        """

    @Test("a notice of a failure names an inline sink as people know it")
    func failureOfInlineSink() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "t.yaml", "timers: { t: { duration: 100ms, on-expiry: [{ shell: exit 1 }], on-failure: [stdout] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        let notice = try await daemon.output.lines(1, "the notice").map(\.text)
        let told = "t: the expiry did not reach shell 'exit 1' (t.yaml:1): exit status 1"
        #expect(notice.first?.hasSuffix(told) == true, "\(notice)")
        #expect(try await daemon.stop() == 0)
    }

    @Test("a webhook that answers 500 receives the delivery again with the same id")
    func webhookRetry() async throws {
        let scratch = try Scratch()
        let server = try await WebServer(answers: [500, 204])
        try scratch.save(
            "t.yaml", "timers: { t: { duration: 100ms, on-expiry: [{ webhook: '\(server.url())' }] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        let events = try await server.requests(2).map { try Event($0.body) }
        #expect(events[0].id == events[1].id)
        #expect(events[0].data.contains(#""attempt":1"#))
        #expect(events[1].data.contains(#""attempt":2"#))
        try await scratch.query("SELECT state, attempt FROM delivery", yields: ["delivered|2"])
        try await daemon.stop()
        #expect(server.count == 2)
    }

    @Test("a template gives each attempt its own number, lateness and remaining time")
    func retryTemplate() async throws {
        struct Body: Decodable {
            var attempt: Int
            var late: Double
            var left: Double
        }
        let scratch = try Scratch()
        let server = try await WebServer(answers: [500, 204])
        let body = #"{"attempt": {{attempt}}, "late": {{late}}, "left": {{remaining.seconds}}}"#
        let action = "{ webhook: '\(server.url())', body: '\(body)' }"
        try scratch.save("t.yaml", "timers: { t: { duration: 100ms, on-expiry: [\(action)] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        let bodies = try await server.requests(2).map { try JSONDecoder().decode(Body.self, from: Data($0.body.utf8)) }
        #expect(bodies.map(\.attempt) == [1, 2])
        #expect(bodies[0].late < bodies[1].late && bodies[0].left > bodies[1].left)
        try await daemon.stop()
    }

    @Test("a retry of a hook has its own lateness, remaining time and message, and all else of the first attempt")
    func retryPayload() async throws {
        let scratch = try Scratch()
        // Retried until the words of the remaining time are others than at first.
        try scratch.save(
            "t.yaml",
            """
            timers:
              t:
                duration: 61s
                remind: 1 minute
                on-reminder:
                  - shell: |
                      cat >>payloads.ndjson
                      test "$TMINUS_ATTEMPT" -gt 1 && test "${TMINUS_LATE%.*}" -ge 1 || exit 75

            """)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.query("SELECT state FROM delivery", yields: ["delivered"])
        try await daemon.stop()
        let events = try scratch.lines("payloads.ndjson").map { try Event($0) }
        #expect(events.map(\.attempt) == Array(1...events.count))
        let (first, last) = (try #require(events.first), try #require(events.last))
        #expect(last.late > first.late && last.late >= 1)
        #expect(
            last.message == (last.remaining == first.remaining ? first.message : "t ends in \(last.remaining)"))
        #expect(Set(events.map(\.firingData)).count == 1)
        #expect(Set(events.map { [$0.id, $0.time] }).count == 1)
    }

    @Test("with repeat after-action a command runs at each expiry, and the next cycle begins when it has ended")
    func afterAction() async throws {
        let scratch = try Scratch()
        // How long the command takes is the test: the next cycle begins after it.
        try scratch.save(
            "t.yaml",
            """
            timers:
              prices:
                duration: 1s
                repeat: after-action
                count: 3
                on-expiry: [{ shell: 'date +%s%N >>fetched; sleep 0.5; date +%s%N >>fetched' }]

            """)
        let daemon = try RunningDaemon(in: scratch)
        // Each run writes the instants of its begin and its end.
        let instants = try await scratch.lines(6, of: "fetched").map { try #require(Int64($0)) }
        try await scratch.query("SELECT state FROM delivery", yields: Array(repeating: "delivered", count: 3))
        try await daemon.stop()
        try #require(instants.count == 6)
        for end in [1, 3] { #expect(instants[end + 1] - instants[end] >= 1_000_000_000) }
    }

    @Test("unread standard output and standard error delay no other sink, and the daemon still stops")
    func nobodyReads() async throws {
        let scratch = try Scratch()
        let timers = (1...20).map { "  t\($0): { duration: \($0 * 50)ms }\n" }.joined()
        try scratch.save(
            "t.yaml", "defaults: { on-expiry: [stdout, { webhook-file: lines.ndjson }] }\ntimers:\n\(timers)")
        let daemon = try RunningDaemon(in: scratch, ["--log-level", "trace"], output: .isStuck, errors: .isStuck)
        try await scratch.lines(20, of: "lines.ndjson")
        #expect(try await daemon.stop() == 0)
    }

    @Test("with closed standard streams no output goes to another file, and the other sinks work")
    func closedStreams() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "t.yaml", "timers: { t: { duration: 100ms, on-expiry: [stdout, { webhook-file: lines.ndjson }] } }\n")
        let arguments = [Program.tminus, "run", "--config", scratch.config, "--state", scratch.state]
        let program = try Program("sh", ["-c", #"exec "$@" <&- >&- 2>&-"#, "sh"] + arguments)
        try await scratch.lines(1, of: "lines.ndjson")
        let reason = "SELECT reason FROM delivery WHERE sink = 'stdout'"
        try await scratch.query(reason, yields: ["standard output is closed"])
        program.send(SIGTERM)
        #expect(try await program.end() == 0)
        let lock = try String(contentsOfFile: "\(scratch.state)/tminus.lock", encoding: .utf8).split(separator: "\n")
        #expect(lock.count == 3 && lock.first == "\(program.id)" && lock.last == "stopping", "\(lock)")
    }
}
