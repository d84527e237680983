import Foundation
import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

/// How programs are started, and what becomes of them, on a machine that is short of something.
@Suite("Programs", .serialized)
struct ProgramTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("a program has its streams where this process has closed its own")
    func closedStreams() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            for descriptor: CInt in 0...2 { close(descriptor) }
            let sink = ShellSink(
                "cat > got; ls /proc/self/fd > open; echo out; echo err >&2",
                CommandSettings(directory: directory.path))
            let report = try await sink.deliver(Deliveries.one())
            #expect(report.output?.text == "out\n" && report.errors?.text == "err\n")
            #expect(directory.read("got") == String(decoding: CloudEvent.json(Deliveries.one()), as: UTF8.self) + "\n")
            // 3 is the listing itself.
            #expect(directory.read("open") == "0\n1\n2\n3\n")
        }
    }

    @Test("many programs at once end as they should; none is left to be reaped, no handling of signals is changed")
    func manyAtOnce() async {
        await #expect(processExitsWith: .success) {
            // A broken pipe must not end a process that does not ignore it.
            let directory = try TemporaryDirectory()
            signal(SIGPIPE, SIG_DFL)
            let settings = CommandSettings(directory: directory.path)
            let sinks = [
                ShellSink("echo $TMINUS_NAME; exit 0", settings), ShellSink("echo $TMINUS_NAME; exit 7", settings),
                ShellSink("exec <&-; echo $TMINUS_NAME; kill -9 $$", settings),
            ]
            // More than a pipe holds, and nobody reads it.
            let long = Deliveries.one(text: String(repeating: "x", count: 100_000))
            try await withThrowingTaskGroup(of: (DeliveryError?, Int).self) { group in
                for number in 0..<90 {
                    group.addTask { (try await sinks[number % 3].attempt(long), number % 3) }
                }
                for try await (error, kind) in group {
                    let report = error?.report
                    #expect((error == nil) == (kind == 0))
                    #expect(kind != 1 || report?.exitStatus == 7)
                    #expect(kind != 2 || report?.signal == 9)
                    #expect(kind == 0 || report?.output?.isCutAtStart == true)
                }
            }
            #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
            var action = sigaction()
            sigaction(SIGCHLD, nil, &action)
            #expect(action.__sigaction_handler.sa_handler == nil)
        }
    }

    @Test("programs wait for one another where few descriptors are left, and some stay free for others")
    func fewDescriptors() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            // The programs overlap only if each takes a while.
            let sink = ShellSink("echo out; sleep 0.1", CommandSettings(directory: directory.path))
            #expect(try await sink.attempt() == nil)
            // Those that this process got from the one of the other tests leave gaps.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int($0) }
            let highest = open.max() ?? 0
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t(highest + 40)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try await withThrowingTaskGroup(of: DeliveryError?.self) { group in
                for _ in 0..<20 { group.addTask { try await sink.attempt() } }
                // What others may need meanwhile.
                let other = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
                #expect(other >= 0)
                close(other)
                for try await error in group { #expect(error == nil) }
            }
        }
    }

    @Test("a program whose arguments the kernel does not take is named, for good")
    func tooLong() async throws {
        let sink = ExecSink(
            ["/bin/echo", String(repeating: "x", count: 300_000)], CommandSettings(directory: directory.path))
        let error = try #require(try await sink.attempt())
        #expect(!error.isTransient)
        #expect(error.reason == "the program '/bin/echo' could not be started: its words and variables are too long")
    }

    @Test("a name is found by the PATH that the program has, also by a part of it that is relative")
    func path() async throws {
        try FileManager.default.createDirectory(atPath: directory.file("bin"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: directory.file("no/own-hook"), withIntermediateDirectories: true)
        try directory.write("bin/own-hook", "#!/bin/sh\necho $0\n", isProgram: true)
        let settings = CommandSettings(directory: directory.path, environment: ["PATH": "no:bin:/usr/bin:/bin"])
        let report = try await ExecSink(["own-hook"], settings).deliver(Deliveries.one())
        #expect(report.output?.text == "\(directory.path)/bin/own-hook\n")
    }
}
