import ChildProcessSupport
import Foundation
import Glibc
import TminusTestKit

/// The Python HTTP server beside this file, in a process of its own.
///
/// Not by way of Foundation's `Process`: waiting for its end runs a run loop, which on a thread of the cooperative pool
/// may not end.
public final class TestServer: Sendable {
    private let process: pid_t
    /// The writing end of the server's standard input.
    private let input: CInt
    private let directory: String
    private let ports: [String: Int]

    /// One request as the server read it.
    public struct Received: Decodable, Sendable {
        public var method: String
        public var path: String
        public var headers: [String: String]
        public var body: String
        /// Counts the connections of the server.
        public var connection: Int
    }

    /// The server or what it needs is not there.
    public struct DidNotStart: Error {}

    /// Starts the server; `secure`: with ports for TLS.
    public static func started(secure: Bool = false) async throws -> TestServer {
        try await Blocking.value { try TestServer(secure: secure) }
    }

    /// Starts the server, and blocks the thread until it answers.
    private init(secure: Bool) throws {
        // A broken pipe is an error here as in the daemon, and not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        directory = NSTemporaryDirectory() + "tminus-server-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        guard let script = Bundle.module.path(forResource: "http_server", ofType: "py"),
            let certificates = Bundle.module.path(forResource: "certificates", ofType: "sh")
        else { throw DidNotStart() }
        var words = ["python3", script, directory + "/received"]
        if secure {
            guard try Self.run(["sh", certificates, directory]) == 0 else { throw DidNotStart() }
            words.append(directory)
        }
        var (toServer, fromServer): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw DidNotStart() }
        for descriptor in toServer + fromServer { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        input = toServer[1]
        defer { for descriptor in [toServer[0]] + fromServer { close(descriptor) } }
        process = try ChildProcess.start(
            words, descriptors: [STDIN_FILENO: toServer[0], STDOUT_FILENO: fromServer[1]])
        // Bounded: the line with the ports comes within ten minutes or never.
        var request = pollfd(fd: fromServer[0], events: Int16(POLLIN), revents: 0)
        var line = Data()
        var byte: UInt8 = 0
        while poll(&request, 1, 600_000) == 1, read(fromServer[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        ports = try JSONDecoder().decode([String: Int].self, from: line)
    }

    deinit {
        close(input)
        kill(process, SIGKILL)
        ChildProcess.wait(for: process)
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The port without TLS.
    public var port: Int { ports["plain"] ?? 0 }

    /// The authority that signed the good certificate, the expired one and that of another host.
    public var caFile: String { directory + "/ca.pem" }

    /// The address of a path; `certificate`: by TLS with that certificate.
    public func url(_ path: String, certificate: String? = nil) -> String {
        guard let certificate else { return "http://127.0.0.1:\(port)\(path)" }
        return "https://127.0.0.1:\(ports[certificate] ?? 0)\(path)"
    }

    /// The requests so far.
    public func received() throws -> [Received] {
        guard let data = FileManager.default.contents(atPath: directory + "/received") else { return [] }
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Received.self, from: $0) }
    }

    private static func run(_ words: [String]) throws -> CInt {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(nowhere) }
        return ChildProcess.wait(
            for: try ChildProcess.start(words, descriptors: [STDOUT_FILENO: nowhere, STDERR_FILENO: nowhere]))
    }
}
