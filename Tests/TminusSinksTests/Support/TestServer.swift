import Foundation
import Glibc

/// The Python HTTP server beside this file, in a process of its own.
final class TestServer: @unchecked Sendable {
    // `Process` is not Sendable; it is used in `init` and `deinit` only.
    private let process = Process()
    private let input = Pipe()
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
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, directory.file("received")]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Bounded: the port comes within a minute or never.
        var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 60_000) == 1 else { throw DidNotStart() }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw DidNotStart() }
        self.port = port
    }

    deinit {
        // The end of its input ends the server.
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func received() throws -> [Received] {
        try directory.lines("received").map { try JSONDecoder().decode(Received.self, from: Data($0)) }
    }
}
