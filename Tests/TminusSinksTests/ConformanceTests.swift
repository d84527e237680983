import Foundation
import Glibc
import TestServer
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

@Suite("Sink conformance")
struct ConformanceTests {
    @Test("stdout conforms", arguments: SinkConformance.checks)
    func stdout(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(StdoutSink.self) {
            let directory = try TemporaryDirectory()
            let descriptor = open(directory.file("out"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            return .init(
                spec: .test("stdout", [("stdout", .null), ("format", .scalar("json"))], in: directory.path),
                sink: StdoutSink(format: .json, descriptor: descriptor)
            ) { directory.lines("out") }
        } stalledBench: {
            let directory = try TemporaryDirectory()
            let pipe = FullPipe()
            return .init(
                spec: .test("stdout", [("format", .scalar("json"))], in: directory.path),
                sink: StdoutSink(format: .json, descriptor: pipe.writer)
            ) { pipe.isEmpty ? [] : [] }
        }
        try await check.run(suite)
    }

    @Test("shell conforms", arguments: SinkConformance.checks)
    func shell(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(ShellSink.self) {
            let directory = try TemporaryDirectory()
            return .init(
                spec: .test(
                    "shell", [("shell", .scalar(#"cat > "$TMINUS_DELIVERY.$TMINUS_ATTEMPT""#))], in: directory.path)
            ) { try directory.names().flatMap { directory.lines($0) } }
        } stalledBench: {
            let directory = try TemporaryDirectory()
            // It hangs: the suite cancels it.
            return .init(spec: .test("shell", [("shell", .scalar("sleep 600"))], in: directory.path)) {
                _ = directory
                return []
            }
        }
        try await check.run(suite)
    }

    @Test("exec conforms", arguments: SinkConformance.checks)
    func exec(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(ExecSink.self) {
            let directory = try TemporaryDirectory()
            try directory.write("hook.sh", "#!/bin/sh\ncat >> \"$1.$TMINUS_DELIVERY\"\n", isProgram: true)
            return .init(
                spec: .test(
                    "exec", [("exec", .sequence([Node(.scalar("./hook.sh")), Node(.scalar("got"))]))],
                    in: directory.path)
            ) { try directory.names().filter { $0.hasPrefix("got.") }.flatMap { directory.lines($0) } }
        } stalledBench: {
            let directory = try TemporaryDirectory()
            return .init(
                spec: .test(
                    // It hangs: the suite cancels it.
                    "exec", [("exec", .sequence([Node(.scalar("sleep")), Node(.scalar("600"))]))], in: directory.path)
            ) {
                _ = directory
                return []
            }
        }
        try await check.run(suite)
    }

    @Test("webhook conforms", arguments: SinkConformance.checks)
    func webhook(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(WebhookSink.self) {
            let server = try await TestServer.started()
            return .init(spec: .test("webhook", [("webhook", .scalar(server.url("/status/200")))], in: "/")) {
                try server.received().map { Array($0.body.utf8) }
            }
        } stalledBench: {
            let server = try await TestServer.started()
            return .init(spec: .test("webhook", [("webhook", .scalar(server.url("/hang")))], in: "/")) {
                try server.received().map { Array($0.body.utf8) }
            }
        }
        try await check.run(suite)
    }

    @Test("webhook-file conforms", arguments: SinkConformance.checks)
    func webhookFile(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(WebhookFileSink.self) {
            let directory = try TemporaryDirectory()
            return .init(spec: .test("webhook-file", [("webhook-file", .scalar("out.ndjson"))], in: directory.path)) {
                directory.lines("out.ndjson")
            }
        } stalledBench: {
            let directory = try TemporaryDirectory()
            let lock = try HeldLock(path: directory.file("out.ndjson"))
            return .init(spec: .test("webhook-file", [("webhook-file", .scalar("out.ndjson"))], in: directory.path)) {
                lock.isHeld ? directory.lines("out.ndjson") : []
            }
        }
        try await check.run(suite)
    }

    @Test("plugin conforms", arguments: SinkConformance.checks)
    func plugin(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(PluginSink.self) {
            let directory = try TemporaryDirectory()
            let script = """
                #!/bin/sh
                \(TestPlugin.ready())
                while :; do
                    \(TestPlugin.next)
                    payload=${line#'{"deliver":'}
                    printf '%s\\n' "${payload%?}" >> out
                    \(TestPlugin.answer())
                done

                """
            try directory.write("plugin.sh", script, isProgram: true)
            return .init(spec: .test("plugin", [("plugin", .scalar("plugin.sh"))], in: directory.path)) {
                directory.lines("out")
            }
        } stalledBench: {
            let directory = try TemporaryDirectory()
            // It hangs: the suite cancels it.
            try directory.write("plugin.sh", "#!/bin/sh\n\(TestPlugin.ready())\nexec sleep 600\n", isProgram: true)
            return .init(spec: .test("plugin", [("plugin", .scalar("plugin.sh"))], in: directory.path)) {
                _ = directory
                return []
            }
        }
        try await check.run(suite)
    }

    @Test("the standard kinds are these six")
    func kinds() {
        #expect(
            StandardSinks.kinds.map { $0.kind } == ["stdout", "shell", "exec", "webhook", "webhook-file", "plugin"])
    }
}

/// A lock on a file, held until the last reference goes.
final class HeldLock: Sendable {
    private let descriptor: CInt
    var isHeld: Bool { descriptor >= 0 }

    init(path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    deinit { close(descriptor) }
}

/// A pipe that is full and has a reader that does not read by itself.
final class FullPipe: Sendable {
    let reader: CInt
    let writer: CInt
    var isEmpty: Bool { false }

    init() {
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        (reader, writer) = (ends[0], ends[1])
        let flags = fcntl(writer, F_GETFL)
        _ = fcntl(writer, F_SETFL, flags | O_NONBLOCK)
        let filler = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
        while write(writer, filler, filler.count) > 0 {}
        _ = fcntl(writer, F_SETFL, flags)
    }

    /// Reads what there is, until `count` bytes have come or a minute passes without any.
    func drain(_ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while all.count < count {
            var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 60_000) == 1 else { break }
            let length = read(reader, &buffer, buffer.count)
            guard length > 0 else { break }
            all += buffer[..<length]
        }
        return all
    }

    deinit {
        close(reader)
        close(writer)
    }
}
