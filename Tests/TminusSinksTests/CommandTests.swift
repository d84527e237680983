import Foundation
import Glibc
import Testing
import TminusCore
import TminusSystem
import TminusTestKit

@testable import TminusSinks

@Suite("Commands", .serialized)
struct CommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func shell(
        _ line: String, in path: String? = nil,
        environment: [String: String] = [:]
    ) -> ShellSink {
        ShellSink(line, CommandSettings(directory: path ?? directory.path, environment: environment))
    }

    /// How a command ends whose time is over at the moment when it has written to `fifo`.
    private func timeout(
        _ line: String, after fifo: Fifo, killAfter: Duration = Bounded.limit
    ) async throws -> DeliveryError? {
        let settings = CommandSettings(directory: directory.path, timeout: .seconds(90), killAfter: killAfter)
        var command = Command(program: "/bin/sh", arguments: ["-c", line], settings: settings)
        command.sleep = { _ in _ = try await fifo.words() }
        return try await Attempt.outcome { [command] () throws(DeliveryError) in
            _ = try await command.run(Deliveries.one())
        }
    }

    @Test(
        "the exit status decides",
        arguments: [
            ("exit 0", nil), ("exit 75", .transient("exit status 75")),
            ("echo one >&2; printf 'two\\033[1m\\n\\n' >&2; exit 3", .permanent("exit status 3: two\\u{1b}[1m")),
            ("kill -9 $$", .permanent("ended by signal 9 (KILL)")),
            ("kill -15 $$", .permanent("ended by signal 15 (TERM)")),
        ] as [(String, DeliveryError?)])
    func exitStatus(line: String, expected: DeliveryError?) async throws {
        let end = try await shell(line).attempt()
        #expect(end?.isTransient == expected?.isTransient && end?.reason == expected?.reason)
    }

    @Test(
        "under the strict profile, a command that may not do something names the drop-in; elsewhere it does not",
        arguments: [ServiceEnvironment.Profile.strict, .commands, nil])
    func strictProfile(profile: ServiceEnvironment.Profile?) async throws {
        let sink = shell("echo 'ionice: Operation not permitted' >&2; echo later >&2; exit 1")
        let end = try await DaemonPlace.$current.withValue(DaemonPlace(state: "/state", profile: profile)) {
            try await sink.attempt()
        }
        let reason = try #require(end?.reason)
        #expect(reason.hasPrefix("exit status 1: later"))
        #expect(reason.contains("/usr/share/tminus/tminus-commands.conf") == (profile == .strict), "\(reason)")
    }

    @Test("under the strict profile, other failures do not name the drop-in")
    func otherFailure() async throws {
        let end = try await DaemonPlace.$current.withValue(DaemonPlace(state: "/state", profile: .strict)) {
            try await shell("echo 'Permission denied' >&2; exit 1").attempt()
        }
        #expect(end?.reason == "exit status 1: Permission denied")
    }

    @Test("a command that does not exist fails with the shell's words")
    func unknownCommand() async throws {
        let error = try #require(try await shell("./no-such-hook.sh").attempt())
        #expect(
            !error.isTransient && error.reason.hasPrefix("exit status 127: ") && error.reason.contains("no-such-hook"))
    }

    @Test("a command over its time is ended by TERM, with its whole group")
    func timeout() async throws {
        let fifo = try Fifo(at: directory.file("fifo"))
        // Both hang: TERM to the group ends them.
        let error = try await timeout("exec 9>fifo; sleep 600 & echo ready >&9; sleep 600", after: fifo)
        #expect(error?.isTransient == false && error?.reason == "timed out after 90 s")
        #expect(await fifo.isAbandoned())
    }

    @Test("a command that ignores TERM is ended by KILL after kill-after")
    func ignoresTerm() async throws {
        let fifo = try Fifo(at: directory.file("fifo"))
        // It hangs, for KILL to end it.
        let line = "exec 9>fifo; trap '' TERM; echo ready >&9; while :; do sleep 600; done"
        let error = try await timeout(line, after: fifo, killAfter: .seconds(1))
        #expect(error?.isTransient == false && error?.reason == "timed out after 90 s")
        #expect(await fifo.isAbandoned())
    }

    @Test("a member of the group that outlives its leader has kill-after to clean up")
    func groupCleansUp() async throws {
        // The shell in front dies of TERM at once; the one behind takes a little longer, and finishes.
        // What it waits for says when all is set: from then on TERM finds no process between fork and exec.
        try directory.write(
            "slow.sh",
            """
            #!/bin/sh
            trap 'sleep 0.2; echo clean > cleaned; exit 0' TERM
            sh -c 'echo ready >&9; exec sleep 600' & wait

            """, isProgram: true)
        let fifo = try Fifo(at: directory.file("fifo"))
        // The shell in front hangs.
        let error = try await timeout("exec 9>fifo; ./slow.sh & while :; do sleep 600; done", after: fifo)
        #expect(error?.isTransient == false && error?.reason == "timed out after 90 s")
        #expect(directory.read("cleaned") == "clean\n")
        #expect(await fifo.isAbandoned())
    }

    @Test("a cancelled delivery ends the command")
    func cancellation() async throws {
        let fifo = try Fifo(at: directory.file("fifo"))
        // It hangs, for the cancellation to end it.
        let sink = shell("exec 9>fifo; echo ready >&9; sleep 600")
        let running = Task { try await sink.attempt() }
        #expect(try await fifo.words() == "ready\n")
        running.cancel()
        #expect(try await running.value != nil)
        #expect(await fifo.isAbandoned())
    }

    @Test(
        "a grandchild that keeps the pipes open, even one that writes for ever, does not hold the slot",
        // The first hangs, and keeps the pipes open.
        arguments: ["sleep 600", "yes"])
    func grandchild(program: String) async throws {
        #expect(try await shell("setsid \(program) & echo $! > child").attempt() == nil)
        let child = try #require(directory.read("child").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) })
        try #require(child > 1)
        // Nobody reads what `yes` writes any more, so it ends by itself.
        if program != "yes" {
            #expect(isRunning(child))
            kill(child, SIGKILL)
        }
    }

    @Test("a flood of output does not block the command, and its last line is told")
    func floods() async throws {
        let line = "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; echo >&2; echo last >&2; exit 1"
        let error = try #require(try await shell(line).attempt())
        #expect(!error.isTransient && error.reason == "exit status 1: last")
        let (output, errors) = (try #require(error.report.output), try #require(error.report.errors))
        #expect(output.isCutAtStart && output.text == String(repeating: "\0", count: OutputTail.limit))
        #expect(
            errors.isCutAtStart && errors.text.hasSuffix("\0\nlast\n") && errors.text.utf8.count == OutputTail.limit)
    }

    @Test("of a stream of any length only the end stays in memory", arguments: [1, 7, 4095, 4097, 100_000])
    func tail(pieceSize: Int) {
        var tail = OutputTail()
        var total: [UInt8] = []
        for number in 0..<max(3, 30_000 / pieceSize) {
            let piece = (0..<pieceSize).map { UInt8(truncatingIfNeeded: $0 &+ number &* 31) }
            piece.withUnsafeBytes { tail.append($0) }
            total = Array((total + piece).suffix(OutputTail.limit))
            #expect(tail.kept.count <= 2 * OutputTail.capacity)
            #expect(tail.kept.capacity <= 8 * OutputTail.limit)
        }
        #expect(tail.kept.suffix(OutputTail.limit) == total[...])
    }

    @Test("a payload that is not read, and does not fit into the pipe, is no failure")
    func unreadInput() async throws {
        let delivery = Deliveries.one(text: String(repeating: "x", count: 200_000))
        #expect(try await shell("exit 0").attempt(delivery) == nil)
        // It works on for a moment after it has closed its input, while that is written.
        #expect(try await shell("exec <&-; sleep 0.1").attempt(delivery) == nil)
        #expect(try await shell("wc -c > size").attempt(delivery) == nil)
        let size = directory.read("size").flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        #expect(try #require(size) > 800_000)
    }

    @Test("a command has the variables of the rule and no others")
    func environment() async throws {
        setenv("TMINUS_TEST_SECRET", "canary", 1)
        let sink = shell("env > env", environment: ["OWN": "1", "LANG": "xx"])
        #expect(try await sink.attempt(Deliveries.one(text: Deliveries.oddText)) == nil)
        let text = try #require(directory.read("env"))
        #expect(!text.contains("canary"))
        #expect(text.contains("\nOWN=1\n") || text.hasPrefix("OWN=1\n"))
        #expect(text.contains("LANG=xx\n") && text.contains("PATH=") && text.contains("TMINUS_ID=launch\n"))
        #expect(text.contains("TMINUS_LABEL_TEAM=\(Deliveries.oddText)\n"))
    }

    @Test("a command inherits no descriptor, no ignored signal and no terminal session")
    func inheritsNothing() async throws {
        let extra = fcntl(STDERR_FILENO, F_DUPFD, 200)
        defer { close(extra) }
        let program = """
            import os, signal
            print(sorted(os.listdir('/proc/self/fd')), os.getsid(0) == os.getpid(),
                  [l for l in open('/proc/self/status') if l.startswith('SigBlk')][0].split()[1],
                  os.getcwd(), file=open('out', 'w'))
            """
        let sink = ExecSink(["python3", "-c", program], CommandSettings(directory: directory.path))
        #expect(try await sink.attempt() == nil)
        // 3 is the listing itself.
        let out = try #require(directory.read("out"))
        #expect(out.hasPrefix("['0', '1', '2', '3'] "), "\(out)")
        #expect(out.contains("] True 0000000000000000 \(directory.path)"), "\(out)")
        #expect(try await shell("grep SigIgn /proc/self/status > ign").attempt() == nil)
        // posix_spawn of glibc leaves its own two signals, 32 and 33, ignored; all others are as in a fresh process.
        let ignored = directory.read("ign").flatMap { $0.split(separator: "\t").last }
            .flatMap { UInt64($0.trimmingCharacters(in: .newlines), radix: 16) }
        #expect(try #require(ignored) & 0x7FFF_FFFF == 0)
    }

    @Test("what a command wrote and how it ended is reported, on success as well")
    func reports() async throws {
        let sink = shell("echo out; echo err >&2; exit $STATUS", environment: ["STATUS": "0"])
        let report = try await sink.deliver(Deliveries.one())
        #expect(
            report
                == DeliveryReport(
                    exitStatus: 0, output: .init(tail: Array("out\n".utf8)), errors: .init(tail: Array("err\n".utf8))))
        #expect(try await shell("exit 0").deliver(Deliveries.one()) == DeliveryReport(exitStatus: 0))
        let failed = try #require(try await shell("echo out; exit 75").attempt())
        #expect(failed.isTransient && failed.report.exitStatus == 75 && failed.report.output?.text == "out\n")
        let killed = try #require(try await shell("kill -9 $$").attempt())
        #expect(killed.report.signal == 9 && killed.report.exitStatus == nil)
        let long = try await shell("yes 123456789 | head -n 500").deliver(Deliveries.one()).output
        #expect(
            long?.isCutAtStart == true && long?.text.utf8.count == OutputTail.limit
                && long?.text.hasSuffix("123456789\n") == true)
    }

    @Test("a secret reaches the command, is read at each start, and is in nothing that is kept")
    func secrets() async throws {
        try directory.write("token", "s3cr3t-canary\n")
        let settings = CommandSettings(
            directory: directory.path, secrets: ["TOKEN": SecretSource(.file(directory.file("token")))])
        let sink = ShellSink("printf %s \"$TOKEN\" > got; echo \"<$TOKEN>\"; echo \"$TOKEN!\" >&2; exit 3", settings)
        for token in ["s3cr3t-canary", "an0ther-canary"] {
            try directory.write("token", token)
            let error = try #require(try await sink.attempt())
            #expect(directory.read("got") == token)
            #expect(error.reason == "exit status 3: (secret)!" && error.report.output?.text == "<(secret)>\n")
            #expect(!"\(error) \(error.report)".contains("canary"))
        }
        // Also where the tail begins in its midst.
        let flood = ShellSink("yes \"$TOKEN\" | head -c 100000", settings)
        #expect(try await flood.deliver(Deliveries.one()).output?.text.contains("canary") == false)
        try FileManager.default.removeItem(atPath: directory.file("token"))
        let missing = try #require(try await sink.attempt())
        #expect(missing.isTransient && missing.reason.contains("token' cannot be read"))
    }

    @Test("options that make no sense are reported")
    func options() throws {
        for (kind, options, part) in [
            ("shell", [("shell", .scalar(" "))], "command line"), ("shell", [], "needs the key 'shell'"),
            ("exec", [("exec", .sequence([]))], "program"),
            (
                "exec",
                [("exec", .scalar("true")), ("environment", .mapping([.init(key: "A=B", value: Node(.scalar("1")))]))],
                "A=B"
            ),
            ("shell", [("shell", .scalar("true")), ("max-concurrent", .scalar("0"))], "max-concurrent"),
            (
                "shell",
                [
                    ("shell", .scalar("true")),
                    (
                        "environment",
                        .mapping([
                            .init(key: "A", value: Node(.mapping([.init(key: "fiel", value: Node(.scalar("x")))])))
                        ])
                    ),
                ], "did you mean 'file'?"
            ),
        ] as [(String, [(String, Node.Content)], String)] {
            let diagnostics = DiagnosticBag(file: "test.yaml")
            _ = SinkRegistry(StandardSinks.kinds).make(.test(kind, options, in: "/"), root: "/", reporting: diagnostics)
            #expect(diagnostics.diagnostics.contains { $0.message.contains(part) }, "\(diagnostics.diagnostics)")
        }
    }

    @Test("time limits are read, and leave the dispatcher's limit room for the end of a command")
    func timeLimits() throws {
        let registry = SinkRegistry(StandardSinks.kinds)
        for (kind, options, limit) in [
            ("shell", [("shell", .scalar("true"))], .seconds(615)),
            (
                "shell", [("shell", .scalar("true")), ("timeout", .scalar("2m")), ("kill-after", .scalar("1s"))],
                .seconds(126)
            ),
            ("webhook", [("webhook", .scalar("http://h/")), ("timeout", .scalar("3s"))], .seconds(8)),
        ] as [(String, [(String, Node.Content)], Duration)] {
            let diagnostics = DiagnosticBag(file: "test.yaml")
            let sink = registry.make(.test(kind, options, in: "/"), root: "/", reporting: diagnostics)
            #expect(sink?.sink.timeLimit == limit && !diagnostics.hasErrors, "\(diagnostics.diagnostics)")
        }
    }

    private func isRunning(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !text.contains(") Z ")
    }
}
