import Foundation
import Glibc

/// The Python HTTP server beside this file, in a process of its own.
///
/// Not by way of Foundation's `Process`: waiting for its end runs a run loop, which on a thread of the cooperative pool
/// may not end.
final class TestServer: Sendable {
    private let process: pid_t
    /// The writing end of the server's standard input.
    private let input: CInt
    private let directory: TemporaryDirectory
    let port: Int

    struct Received: Decodable {
        var method: String
        var path: String
        var headers: [String: String]
        var body: String
    }

    struct DidNotStart: Error {}

    init() throws {
        directory = try TemporaryDirectory()
        guard let script = Bundle.module.path(forResource: "http_server", ofType: "py") else { throw DidNotStart() }
        var (toServer, fromServer): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw DidNotStart() }
        input = toServer[1]
        defer { for descriptor in [toServer[0]] + fromServer { close(descriptor) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toServer[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromServer[1], STDOUT_FILENO)
        for descriptor in toServer + fromServer { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let words = ["python3", script, directory.file("received")]
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawnp(&process, "python3", &actions, nil, arguments + [nil], environ) == 0 else {
            throw DidNotStart()
        }
        self.process = process
        // Bounded: the line with the port comes within a minute or never.
        var request = pollfd(fd: fromServer[0], events: Int16(POLLIN), revents: 0)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while poll(&request, 1, 60_000) == 1, read(fromServer[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw DidNotStart() }
        self.port = port
    }

    deinit {
        close(input)
        kill(process, SIGKILL)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func received() throws -> [Received] {
        try directory.lines("received").map { try JSONDecoder().decode(Received.self, from: Data($0)) }
    }
}
