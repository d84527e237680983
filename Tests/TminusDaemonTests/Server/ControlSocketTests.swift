import ChildProcessSupport
import Foundation
import Glibc
import Testing
import TminusControl
import TminusTestKit

@testable import TminusDaemon

@Suite("Control socket")
struct ControlSocketTests {
    private func failure(_ path: String) async throws -> ControlFailure {
        do {
            _ = try await ControlClient.connected(to: path) { try await $0.status() }
        } catch {
            return try #require(error as? ControlFailure)
        }
        throw ConformanceFailure("somebody answered at \(path)")
    }

    private func modes(_ path: String) throws -> mode_t {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ConformanceFailure("stat: \(errno)") }
        return status.st_mode & 0o777
    }

    @Test("a list ends as soon as any other request if the daemon does not answer")
    func silentDaemon() async throws {
        let harness = try ControlHarness()
        let listener = try RawSocket(listeningAt: harness.path)
        // Far less than the minute that some answers may take, and far more than the limit.
        let failure = try await Bounded.value(within: .seconds(30), "the end of the list") {
            await #expect(throws: ControlFailure.self) {
                try await ControlClient.connected(to: harness.path, patience: .milliseconds(100)) {
                    _ = try await $0.items(outcomes: true)
                }
            }
        }
        #expect(failure?.message.hasPrefix("the daemon does not answer") == true)
        withExtendedLifetime(listener) {}
    }

    @Test("only this user can connect")
    func mode() async throws {
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            // They are set right after the socket is there.
            try await harness.log.wait(for: "control socket open")
            let mode = try modes(harness.path)
            #expect(mode == 0o600)
            _ = try await client.status()
        }
    }

    @Test("without a daemon the answer says how to start one")
    func missing() async throws {
        let harness = try ControlHarness()
        let failure = try await failure(harness.path)
        #expect(failure.kind == .noDaemon)
        #expect(
            failure.message == "no daemon is running: there is no control socket at \(harness.path); start one with "
                + "'tminus run', or give its place with --socket or --state")
    }

    @Test("the socket of a former daemon is replaced by the next one")
    func stale() async throws {
        let harness = try ControlHarness()
        do { _ = try RawSocket(listeningAt: harness.path) }
        let failure = try await failure(harness.path)
        #expect(failure.kind == .noDaemon)
        #expect(
            failure.message
                == "no daemon is running: \(harness.path) is left over from an earlier one; start one with 'tminus run'"
        )
        try await harness.run { (client: ControlClient) async throws in _ = try await client.status() }
    }

    @Test("a socket at which another program answers is left alone, and the next path is used")
    func taken() async throws {
        let harness = try ControlHarness()
        let other = try RawSocket(listeningAt: harness.path)
        await #expect(throws: (any Error).self) { try await harness.server().run() }
        var status = stat()
        #expect(stat(harness.path, &status) == 0)
        let next = harness.directory + "/next.sock"
        let server = harness.server(paths: [harness.path, next])
        let task = Task { try await server.run() }
        try await harness.log.wait(for: "control socket open")
        #expect(try await ControlClient.connected(to: next) { try await $0.status() }.version == "test")
        task.cancel()
        _ = await task.result
        withExtendedLifetime(other) {}
    }

    @Test("a removed socket is made again at the next check, and connections stay open")
    func madeAgain() async throws {
        let harness = try ControlHarness()
        try await harness.run { (_: ControlClient) async throws in
            let connected = try RawSocket(harness.path)
            harness.socketWatch.look()
            #expect(unlink(harness.path) == 0)
            // As if a daemon had died since then: its socket is no obstacle.
            do { _ = try RawSocket(listeningAt: harness.path) }
            harness.socketWatch.look()
            try await harness.log.wait(for: "control socket restored")
            let deadline = ContinuousClock.now + Bounded.limit
            while (try? await failure(harness.path)) != nil, ContinuousClock.now < deadline {
                // The socket appears without telling anybody.
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await ControlClient.connected(to: harness.path) { try await $0.status() }.version == "test")
            try await connected.write("GET /status HTTP/1.1\r\nhost: x\r\n\r\n")
            #expect(try await connected.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            harness.socketWatch.look()
        }
    }

    @Test("a removed socket in whose place another program answers is left alone")
    func takenMeanwhile() async throws {
        let harness = try ControlHarness()
        try await harness.run { (_: ControlClient) async throws in
            #expect(unlink(harness.path) == 0)
            let other = try RawSocket(listeningAt: harness.path)
            var (before, after) = (stat(), stat())
            #expect(stat(harness.path, &before) == 0)
            harness.socketWatch.look()
            try await harness.log.wait(for: "the control socket is missing and cannot be restored")
            #expect(stat(harness.path, &after) == 0)
            #expect(before.st_ino == after.st_ino)
            withExtendedLifetime(other) {}
        }
    }

    @Test("a file that is not a socket is not removed")
    func noSocket() async throws {
        let harness = try ControlHarness()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: harness.path))
        await #expect(throws: (any Error).self) { try await harness.server().run() }
        #expect(try String(contentsOfFile: harness.path, encoding: .utf8) == "mine")
    }

    @Test("an impossible path and a directory that others can write are refused with what to do")
    func refused() async throws {
        let harness = try ControlHarness()
        let long = harness.directory + "/" + String(repeating: "x", count: 100)
        await #expect { try await harness.server(paths: [long]).run() } throws: { error in
            "\(error)".contains("too long for a socket") && "\(error)".contains("--socket")
        }
        #expect(try await failure(long).message.contains("too long for a socket"))
        chmod(harness.directory, 0o777)
        await #expect { try await harness.server().run() } throws: {
            "\($0)".contains("chmod o-w \(harness.directory)")
        }
    }

    @Test("a refused connection names the user that owns the socket", .enabled(if: geteuid() == 0))
    func otherUser() async throws {
        let harness = try ControlHarness()
        try await harness.run { (_: ControlClient) async throws in
            chmod(harness.directory, 0o755)
            chmod(harness.path, 0o666)
            // Another user who gets through to the socket is refused by the daemon.
            let answer = try await asNobody(harness.path)
            #expect(answer.hasPrefix("HTTP/1.1 403 "))
            #expect(answer.contains("only the daemon's user and root may use the control socket"))
        }
    }

    @Test("a daemon that ends during an answer is reported")
    func endsEarly() async throws {
        let harness = try ControlHarness()
        let server = try RawSocket(listeningAt: harness.path)
        let descriptor = server.descriptor
        Thread.detachNewThread {
            // The probe, then the request.
            close(accept(descriptor, nil, nil))
            let connection = accept(descriptor, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 4_096)
            _ = recv(connection, &buffer, buffer.count, 0)
            let half = Array("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"version\":".utf8)
            _ = send(connection, half, half.count, CInt(MSG_NOSIGNAL))
            close(connection)
        }
        let path = harness.path
        let failure = try await Bounded.value("a failure") { try await self.failure(path) }
        #expect(failure.kind == .noDaemon)
        #expect(failure.message.hasPrefix("the daemon stopped before it answered"))
        withExtendedLifetime(server) {}
    }

    /// What the daemon answers to the user `nobody`.
    private func asNobody(_ path: String) async throws -> String {
        let script = """
            import socket, sys, os
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            s = socket.socket(socket.AF_UNIX); s.settimeout(30); s.connect(sys.argv[1])
            s.sendall(b"GET /items HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n")
            out = s.recv(65536)
            while b"}" not in out: out += s.recv(65536)
            sys.stdout.write(out.decode())
            """
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw ConformanceFailure("pipe: \(errno)") }
        let process = try ChildProcess.start(["python3", "-c", script, path], descriptors: [STDOUT_FILENO: ends[1]])
        close(ends[1])
        let handle = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        return try await RawSocket.blocking {
            let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
            ChildProcess.wait(for: process)
            return text
        }
    }
}
