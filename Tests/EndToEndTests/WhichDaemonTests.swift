import Foundation
import Glibc
import Testing

/// The choice of the daemon, and the messages about one that does not answer.
@Suite("Choice of the daemon")
struct WhichDaemonTests {
    private typealias Result = (status: CInt, output: [String], errors: [String])

    private func tminus(
        _ arguments: [String], _ environment: [String: String] = Program.environment
    ) async throws -> Result {
        let program = try Program(Program.tminus, arguments, environment: environment)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    /// Repeats a command until its result is as wanted, or the time limit ends.
    private func eventually(
        _ arguments: [String], _ environment: [String: String], _ isWanted: (Result) -> Bool
    ) async throws -> Result {
        let deadline = ContinuousClock.now + Waiting.limit
        var result = try await tminus(arguments, environment)
        while !isWanted(result), ContinuousClock.now < deadline { result = try await tminus(arguments, environment) }
        return result
    }

    @Test("--state selects the daemon that holds that directory, wherever its socket is, and never another")
    func byState() async throws {
        let (one, other) = (try Scratch(), try Scratch())
        try one.save("a.yaml", "stopwatches: { run: {} }\n")
        var bare = Program.environment
        bare["RUNTIME_DIRECTORY"] = nil
        var session = bare
        session["XDG_RUNTIME_DIR"] = one.path
        let daemon = try RunningDaemon(in: one, environment: session)
        try await daemon.ready()
        let found = try await eventually(["status", "--state", one.state], bare) { $0.status == 0 }
        #expect(found.status == 0, "a client of another environment: \(found.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(one.state)/control.sock"))
        #expect(try await tminus(["list"], session).status == 0)
        let wrong = try await tminus(["start", "run", "--state", other.state], session)
        #expect(wrong.status == 69)
        #expect(
            wrong.errors == [
                "tminus: no daemon is running on \(other.state); start one with 'tminus run --state \(other.state)'"
            ])
        // A second daemon of this session has its socket elsewhere and is still found.
        let second = try RunningDaemon(in: other, environment: session)
        try await second.ready()
        let asked = try await eventually(["list", "--state", other.state], session) { $0.status == 0 }
        #expect(asked.status == 0 && !asked.output.joined().contains("run"), "\(asked)")
        try await second.stop()
        try await daemon.kill()
        // The record left by a killed daemon is ignored.
        #expect(try await tminus(["status", "--state", one.state], bare).status == 69)
    }

    @Test("a daemon that waits for running deliveries during its stop is reported as stopping")
    func stopping() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let place = ["--state", scratch.state]
        let made = try await eventually(
            [
                "timer", "10ms", "--name", "one", "--then",
                "echo x >> began; while [ ! -e go ]; do sleep 0.05; done",
            ] + place, Program.environment
        ) { $0.status == 0 }
        #expect(made.status == 0, "\(made.errors)")
        try await scratch.lines(1, of: "began")
        daemon.program.send(SIGTERM)
        let stopping = try await eventually(["status"] + place, Program.environment) { $0.status == 69 }
        try scratch.save("go", "")
        #expect(stopping.status == 69)
        #expect(
            stopping.errors == [
                "tminus: the daemon on \(scratch.state) (process id \(daemon.program.id)) is stopping; "
                    + "it waits for running deliveries, at most half a minute"
            ])
        #expect(try await daemon.program.end() == 0)
        let ended = try await tminus(["status"] + place)
        #expect(ended.errors.first?.hasPrefix("tminus: no daemon is running on") == true, "\(ended.errors)")
    }
}
