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

    @Test("add, remove and diff take the files of the daemon that runs, wherever they are called")
    func files() async throws {
        let (own, here) = (try Scratch(), try Scratch())
        try own.save("a.yaml", "timers: { tea: { duration: 4m, start: manual } }\n")
        try here.save("b.yaml", "timers: { soup: { duration: 5m, start: manual } }\n")
        var session = Program.environment
        session["RUNTIME_DIRECTORY"] = nil
        session["XDG_RUNTIME_DIR"] = own.path
        let daemon = try RunningDaemon(in: own, environment: session)
        try await daemon.ready()
        #expect(try await eventually(["list"], session) { $0.status == 0 }.status == 0)
        func called(_ words: String...) async throws -> CInt {
            let program = try Program(
                "sh", ["-c", #"cd "$0" && exec "$@""#, here.path, Program.tminus] + words, environment: session)
            return try await program.end()
        }
        func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        #expect(try await called("add", "timer", "rice", "10m") == 0)
        #expect(try text("\(own.config)/a.yaml").contains("rice"))
        #expect(try await called("remove", "tea", "--yes") == 0)
        #expect(try await called("remove", "soup", "--yes") != 0)
        #expect(try await called("diff") == 0)
        #expect(try !text("\(own.config)/a.yaml").contains("tea"))
        #expect(try text("\(here.config)/b.yaml").contains("soup") && !text("\(here.config)/b.yaml").contains("rice"))
        #expect(try await called("add", "timer", "egg", "6m", "--config", "config") == 0)
        #expect(try text("\(here.config)/b.yaml").contains("egg"))
        try await daemon.stop()
    }

    @Test("commands in a hook talk to the daemon that runs the hook, which logs the hook's delivery")
    func ofHook() async throws {
        let (other, own) = (try Scratch(), try Scratch())
        var session = Program.environment
        session["RUNTIME_DIRECTORY"] = nil
        session["XDG_RUNTIME_DIR"] = other.path
        // Another daemon of this session, which a command without options reaches.
        let decoy = try RunningDaemon(in: other, environment: session)
        try await decoy.ready()
        let reached = try await eventually(["list"], session) { $0.status == 0 }
        #expect(reached.status == 0, "\(reached.errors)")
        try own.save(
            "a.yaml",
            """
            stopwatches: { run: { start: auto } }
            timers:
              tea:
                duration: 1h
                start: manual
                on-expiry: [{ shell: '"$TMINUS_PROGRAM" lap run >said 2>&1; echo "$? $TMINUS_STATE $TMINUS_SOCKET" >got',
                  environment: { TMINUS_PROGRAM: "\(Program.tminus)" } }]
            """)
        let daemon = try RunningDaemon(in: own, environment: session)
        try await daemon.ready()
        let fired = try await eventually(["fire", "tea", "--state", own.state], session) { $0.status == 0 }
        #expect(fired.status == 0, "\(fired)")
        let (said, got) = (own.lines("said"), own.lines("got"))
        #expect(got == ["0 \(own.state) \(own.state)/control.sock"], "\(said)")
        let id = try #require(try await own.query("SELECT id FROM delivery").first)
        let log = try await daemon.errors.first("the lap") { $0.contains("control=lap") }
        #expect(log.text.contains(" (delivery \(id))\""), "\(log.text)")
        try await daemon.stop()
        try await decoy.stop()
    }

    @Test("TMINUS_SOCKET and TMINUS_STATE choose the daemon, options win over them, and empty ones are ignored")
    func byEnvironment() async throws {
        let (one, other) = (try Scratch(), try Scratch())
        var session = Program.environment
        session["RUNTIME_DIRECTORY"] = nil
        var daemons: [RunningDaemon] = []
        for (scratch, name) in [(one, "first"), (other, "second")] {
            try scratch.save("a.yaml", "stopwatches: { \(name): {} }\n")
            daemons.append(try RunningDaemon(in: scratch, environment: session))
            try await daemons[daemons.count - 1].ready()
            let up = try await eventually(["list", "--state", scratch.state], session) { $0.status == 0 }
            #expect(up.status == 0, "\(up.errors)")
        }
        func listed(_ variables: [String: String], _ options: [String] = []) async throws -> String {
            let result = try await tminus(["list", "--json"] + options, session.merging(variables) { $1 })
            return result.output.joined().contains("second")
                ? "second"
                : result.output.joined().contains("first")
                    ? "first" : result.errors.joined()
        }
        let (state, socket) = (["TMINUS_STATE": one.state], ["TMINUS_SOCKET": "\(one.state)/control.sock"])
        #expect(try await listed(state) == "first")
        #expect(try await listed(socket) == "first")
        #expect(try await listed(["TMINUS_STATE": other.state].merging(socket) { $1 }) == "first")
        for options in [["--state", other.state], ["--socket", "\(other.state)/control.sock"]] {
            #expect(try await listed(state.merging(socket) { $1 }, options) == "second")
        }
        #expect(try await listed(["TMINUS_SOCKET": ""].merging(state) { $1 }) == "first")
        let nobody = try await listed(["TMINUS_STATE": "\(one.path)/nowhere"])
        #expect(nobody.contains("no daemon is running on \(one.path)/nowhere"), "\(nobody)")
        for daemon in daemons { try await daemon.stop() }
    }

    @Test("a daemon that waits for running deliveries during its stop is reported as stopping")
    func stopping() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let place = ["--state", scratch.state]
        // The command ends when the test makes the file; a shell can only look for it.
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
