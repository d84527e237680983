import Foundation
import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

/// Commands that do what they should not: each is contained, ends within its limits, and is named.
@Suite("Misbehaving commands", .serialized)
struct CommandMisdeedTests {
    /// A line for the shell, and how its delivery ends: nil for success.
    struct Misdeed: Sendable, CustomTestStringConvertible {
        var name: String
        var line: String
        var reason: String?
        var timeout = Bounded.limit
        var payload = 10
        var testDescription: String { name }
    }

    private static let short = Duration.milliseconds(500)
    private static let large = 200_000
    private static let overdue = "timed out after 0.5 s"

    // What sleeps for 600 s hangs: it has to be ended.
    static let misdeeds: [Misdeed] = [
        Misdeed(name: "does not read its input", line: "exit 0", payload: large),
        Misdeed(name: "closes its input and works on", line: "exec <&-; sleep 0.2", payload: large),
        Misdeed(name: "reads a part of its input", line: "head -c 10 > /dev/null", payload: large),
        Misdeed(
            name: "waits without reading", line: "exec sleep 600", reason: overdue, timeout: short, payload: large),
        Misdeed(
            name: "a daemon keeps the input that nobody reads", line: "setsid sleep 600 <&0 9>&- & echo $! > child",
            payload: large),
        Misdeed(name: "closes its output", line: "exec >&- 2>&-; exit 4", reason: "exit status 4"),
        Misdeed(name: "writes gigabytes", line: "exec head -c 2G /dev/zero"),
        Misdeed(name: "writes for ever", line: "exec yes", reason: overdue, timeout: short),
        Misdeed(
            name: "writes for ever on standard error", line: "exec yes oops >&2", reason: overdue, timeout: short),
        Misdeed(name: "forks a daemon that keeps the pipes", line: "setsid sleep 600 9>&- & echo $! > child"),
        Misdeed(name: "a daemon that writes for ever", line: "setsid yes 9>&- &"),
        Misdeed(
            name: "ignores TERM", line: "trap '' TERM; while :; do sleep 600; done", reason: overdue, timeout: short),
        Misdeed(
            name: "its child ignores TERM", line: "(trap '' TERM; exec sleep 600) & wait", reason: overdue,
            timeout: short),
        Misdeed(name: "stops itself", line: "kill -STOP $$", reason: overdue, timeout: short),
        Misdeed(name: "ends by a signal", line: "kill -9 $$", reason: "ended by signal 9 (KILL)"),
        Misdeed(
            name: "dumps core", line: "ulimit -c unlimited; kill -ABRT $$", reason: "ended by signal 6 (ABRT)"),
        Misdeed(name: "is not there", line: "exec ./none", reason: "exit status 127: "),
        Misdeed(name: "takes its whole session along", line: "kill -9 -$$", reason: "ended by signal 9 (KILL)"),
    ]

    @Test("is contained", arguments: misdeeds)
    func isContained(_ misdeed: Misdeed) async throws {
        let directory = try TemporaryDirectory()
        let fifo = try Fifo(at: directory.file("fifo"))
        let settings = CommandSettings(
            directory: directory.path, timeout: misdeed.timeout, killAfter: .milliseconds(300))
        let delivery = Deliveries.one(text: String(repeating: "x", count: misdeed.payload))
        let error = try await ShellSink("exec 9>fifo; \(misdeed.line)", settings).attempt(delivery)
        if let reason = misdeed.reason {
            let error = try #require(error)
            #expect(!error.isTransient && error.reason.hasPrefix(reason), "\(error.reason)")
            #expect(error.report.exitStatus != nil || error.report.signal != nil)
        } else {
            #expect(error == nil)
        }
        // Nothing of its group is left.
        #expect(await fifo.isAbandoned())
        if let child = directory.read("child").flatMap({ pid_t($0.trimmingCharacters(in: .newlines)) }), child > 1 {
            kill(child, SIGKILL)
        }
    }

    @Test("a program that cannot be started is named with what to change")
    func notStarted() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("plain", "text")
        try directory.write("no-shebang", "echo hello\n", isProgram: true)
        try directory.write("bad-shebang", "#!/no/such/interpreter\n", isProgram: true)
        func exec(_ words: String...) -> ExecSink { ExecSink(words, CommandSettings(directory: directory.path)) }
        for (sink, part) in [
            (exec("./nothing"), "nothing' cannot be found"), (exec("./plain/x"), "plain/x' cannot be found"),
            (exec("no-such-program-here"), "'no-such-program-here' was not found in PATH"),
            (exec("./plain"), "plain' may not be executed: Permission denied; try chmod +x"),
            (exec("./no-shebang"), "a script needs a first line with #!"),
            (exec("./bad-shebang"), "bad-shebang' cannot be executed: the interpreter of its first line is not there"),
            (exec("./"), "' is a directory"), (exec("/dev/null"), "null' is not a regular file"),
        ] {
            let error = try #require(try await sink.attempt())
            #expect(!error.isTransient && error.reason.contains(part), "\(error.reason)")
        }
        let nowhere = ShellSink("true", CommandSettings(directory: directory.file("nowhere")))
        let error = try #require(try await nowhere.attempt())
        #expect(!error.isTransient && error.reason.contains("nowhere' cannot be used"), "\(error.reason)")
    }

    @Test("a program that is deleted between two attempts is missed by name, and found again when it is back")
    func deleted() async throws {
        let directory = try TemporaryDirectory()
        let sink = ExecSink(["./hook.sh"], CommandSettings(directory: directory.path))
        for _ in 0..<2 {
            try directory.write("hook.sh", "#!/bin/sh\nexit 0\n", isProgram: true)
            #expect(try await sink.attempt() == nil)
            try FileManager.default.removeItem(atPath: directory.file("hook.sh"))
            #expect(try await sink.attempt()?.reason.contains("hook.sh' cannot be found") == true)
        }
    }
}
