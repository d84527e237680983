import Foundation
import Glibc
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

@Suite("Commands")
struct CommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func shell(
        _ line: String, timeout: Duration = .seconds(15), killAfter: Duration = .seconds(5), in path: String? = nil,
        environment: [String: String] = [:]
    ) -> ShellSink {
        ShellSink(
            line,
            CommandSettings(
                directory: path ?? directory.path, timeout: timeout, killAfter: killAfter, environment: environment))
    }

    @Test(
        "the exit status decides",
        arguments: [
            ("exit 0", nil), ("exit 75", .transient("exit status 75")),
            ("echo one >&2; printf 'two\\033[1m\\n\\n' >&2; exit 3", .permanent("exit status 3: two\u{FFFD}[1m")),
            ("kill -9 $$", .permanent("ended by signal 9")),
            ("kill -15 $$", .permanent("ended by signal 15")),
        ] as [(String, DeliveryError?)])
    func exitStatus(line: String, expected: DeliveryError?) async throws {
        #expect(try await shell(line).attempt() == expected)
    }

    @Test("a command that does not exist fails with the shell's words")
    func unknownCommand() async throws {
        let error = try #require(try await shell("./no-such-hook.sh").attempt())
        #expect(
            !error.isTransient && error.reason.hasPrefix("exit status 127: ") && error.reason.contains("no-such-hook"))
    }

    @Test("a command over its time is ended by TERM, with its whole group")
    func timeout() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let error = try await shell("sleep 61 & echo $! > child; sleep 61", timeout: .milliseconds(200)).attempt()
        #expect(error == .permanent("timed out after 0.2 s"))
        #expect(clock.now - start < .seconds(4))
        let child = try #require(directory.read("child").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) })
        #expect(!isRunning(child))
    }

    @Test("a command that ignores TERM is ended by KILL after kill-after")
    func ignoresTerm() async throws {
        let error = try await shell(
            "trap '' TERM; echo $$ > child; while :; do sleep 61; done", timeout: .milliseconds(200),
            killAfter: .milliseconds(200)
        ).attempt(within: .seconds(5))
        #expect(error == .permanent("timed out after 0.2 s"))
        let child = try #require(directory.read("child").flatMap { pid_t($0.trimmingCharacters(in: .newlines)) })
        #expect(!isRunning(child))
    }

    @Test("a member of the group that outlives its leader has kill-after to clean up")
    func groupCleansUp() async throws {
        // The shell in front dies of TERM at once; the one behind takes a little longer, and finishes.
        try directory.write(
            "slow.sh",
            "#!/bin/sh\ntrap 'sleep 0.2; echo clean > cleaned; exit 0' TERM\necho ready > ready\nsleep 61 & wait\n",
            mode: 0o755)
        let error = try await shell("./slow.sh & while :; do sleep 61; done", timeout: .milliseconds(600)).attempt()
        #expect(error == .permanent("timed out after 0.6 s"))
        #expect(directory.read("cleaned") == "clean\n")
    }

    @Test("a cancelled delivery ends the command")
    func cancellation() async throws {
        let fifo = directory.file("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let sink = shell("echo $$ > fifo; sleep 61")
        let running = Task { try await sink.attempt() }
        // Opening the FIFO returns when the command has opened its side.
        let process = try await Bounded.value(within: .seconds(10), "the command to start") {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let descriptor = open(fifo, O_RDONLY)
                    defer { close(descriptor) }
                    var buffer = [UInt8](repeating: 0, count: 32)
                    let count = read(descriptor, &buffer, buffer.count)
                    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
                    continuation.resume(returning: pid_t(text.trimmingCharacters(in: .newlines)) ?? 0)
                }
            }
        }
        try #require(process > 1)
        running.cancel()
        #expect(try await running.value != nil)
        #expect(!isRunning(process))
    }

    @Test("a grandchild that keeps the pipes open, even one that writes for ever, does not hold the slot")
    func grandchild() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await shell("setsid sleep 30 & echo $! > a").attempt(within: .seconds(8)) == nil)
        #expect(try await shell("setsid yes & echo $! > b").attempt(within: .seconds(8)) == nil)
        #expect(clock.now - start < .seconds(8))
        for name in ["a", "b"] {
            if let child = directory.read(name).flatMap({ pid_t($0.trimmingCharacters(in: .newlines)) }), child > 1 {
                kill(child, SIGKILL)
            }
        }
    }

    @Test("100 MB of output neither block the command nor stay in memory")
    func floods() async throws {
        let before = residentKilobytes()
        let line = "head -c 50000000 /dev/zero; head -c 50000000 /dev/zero >&2; echo >&2; echo last >&2; exit 1"
        #expect(try await shell(line).attempt() == .permanent("exit status 1: last"))
        #expect(residentKilobytes() - before < 60_000)
    }

    @Test("a payload that is not read, and does not fit into the pipe, is no failure")
    func unreadInput() async throws {
        let delivery = Deliveries.one(text: String(repeating: "x", count: 200_000))
        #expect(try await shell("exit 0").attempt(delivery) == nil)
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
        // 3 is the listing itself, 4 the file that is written.
        let out = try #require(directory.read("out"))
        #expect(out.hasPrefix("['0', '1', '2', '3'"), "\(out)")
        #expect(!out.contains("'200'") && out.contains("] True 0000000000000000 \(directory.path)"), "\(out)")
        #expect(try await shell("grep SigIgn /proc/self/status > ign").attempt() == nil)
        // posix_spawn of glibc leaves its own two signals, 32 and 33, ignored; all others are as in a fresh process.
        let ignored = directory.read("ign").flatMap { $0.split(separator: "\t").last }
            .flatMap { UInt64($0.trimmingCharacters(in: .newlines), radix: 16) }
        #expect(try #require(ignored) & 0x7FFF_FFFF == 0)
    }

    @Test("a program or a directory that is not there is a permanent failure that names it")
    func missing() async throws {
        try directory.write("plain", "text")
        try directory.write("no-shebang", "echo hello\n", mode: 0o755)
        func exec(_ words: String...) -> ExecSink { ExecSink(words, CommandSettings(directory: directory.path)) }
        for (sink, part) in [
            (exec("./nothing"), "nothing"), (exec("no-such-program-here"), "no-such-program-here"),
            (exec("./plain"), "plain"), (exec("./no-shebang"), "no-shebang"),
        ] {
            let error = try #require(try await sink.attempt())
            #expect(!error.isTransient && error.reason.contains("'") && error.reason.contains(part), "\(error.reason)")
        }
        let error = try #require(try await shell("true", in: directory.file("nowhere")).attempt())
        #expect(!error.isTransient && error.reason.contains("nowhere"), "\(error.reason)")
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
        ] as [(String, [(String, Node.Content)], String)] {
            let diagnostics = DiagnosticBag(file: "test.yaml")
            _ = SinkRegistry(StandardSinks.kinds).make(.test(kind, options, in: "/"), reporting: diagnostics)
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
            let sink = registry.make(.test(kind, options, in: "/"), reporting: diagnostics)
            #expect(sink?.timeLimit == limit && !diagnostics.hasErrors, "\(diagnostics.diagnostics)")
        }
    }

    private func isRunning(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !text.contains(") Z ")
    }

    private func residentKilobytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
    }
}
