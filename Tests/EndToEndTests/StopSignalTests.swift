import Foundation
import Glibc
import Testing

/// What the signals that end the daemon do while something holds it up.
@Suite("Signals that end the daemon")
struct StopSignalTests {
    @Test("clients that ask and do not read do not hold up the end")
    func unread() async throws {
        let scratch = try Scratch()
        let timers = (0..<3_000).map { "  t\($0): { duration: 1h, start: auto }\n" }.joined()
        try scratch.save("a.yaml", "timers:\n\(timers)")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.answers()
        let client = try Program("python3", ["-c", Self.client, "\(scratch.state)/control.sock"])
        try await client.output.first("all answers have begun") { $0 == "begun" }
        daemon.program.send(SIGTERM)
        #expect(try await daemon.program.end() == 0)
    }

    @Test(
        "a second signal ends the daemon at once, and what has ended by then is recorded", arguments: [SIGTERM, SIGINT])
    func second(signal: CInt) async throws {
        let scratch = try Scratch()
        // It ends with the directory of the test.
        let stubborn = "trap \"\" TERM; echo begun >>log; while [ -e log ]; do sleep 0.2; done"
        try scratch.save(
            "a.yaml",
            """
            timers:
              firm: { duration: 100ms, on-expiry: [{ shell: '\(stubborn)', timeout: 1h, kill-after: 1h }] }
              quick: { duration: 100ms, on-expiry: [{ shell: 'echo quick >>log' }] }
            """)
        let daemon = try RunningDaemon(in: scratch)
        try await scratch.lines(2, of: "log")
        let states = "SELECT definition, state FROM delivery ORDER BY definition"
        try await scratch.query(states, yields: ["firm|claimed", "quick|delivered"])
        daemon.program.send(SIGTERM)
        try await daemon.errors.first("word of the wait") { $0.contains("waiting for running deliveries") }
        daemon.program.send(signal)
        #expect(try await daemon.program.end() == 0)
        try await daemon.errors.first("word of the second signal") { $0.contains("ending at once") }
        try await daemon.errors.first("word of what is left") { $0.contains("running deliveries are interrupted") }
        #expect(try await scratch.query(states) == ["firm|claimed", "quick|delivered"])
    }

    /// Asks over ten connections, reads a byte of each answer and nothing more.
    private static let client = """
        import socket, sys, time
        sockets = []
        for number in range(10):
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            s.sendall(b"GET /%s HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n" % (b"events" if number % 2 else b"items"))
            s.recv(1)
            sockets.append(s)
        print("begun", flush=True)
        # Keeps its connections until it is killed.
        time.sleep(3600)
        """
}
