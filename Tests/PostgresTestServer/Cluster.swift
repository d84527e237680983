internal import ChildProcessSupport
internal import Foundation
internal import Glibc
internal import TminusTestKit

/// A PostgreSQL server of the tests: `cluster.sh` in a process of its own, which ends with this one.
package final class Cluster: Sendable {
    /// The server of all tests that need none of their own, or why there is none.
    private static let common = Result { try Cluster() }

    /// The server of all tests that need none of their own.
    package static func shared() async throws -> Cluster { try await Blocking.value { try common.get() } }

    /// A server of one test.
    package static func started() async throws -> Cluster { try await Blocking.value { try Cluster() } }

    /// A server of one test whose clock can be set.
    package static func startedWithClock() async throws -> Cluster {
        try await Blocking.value { try Cluster(hasClock: true) }
    }

    /// Why the tests cannot run.
    package struct Missing: Error, CustomStringConvertible {
        /// What is missing.
        package var description: String

        /// That it is missing.
        package init(description: String) { self.description = description }
    }

    /// Whether the tests run: with a server, and where one is required.
    package static var isRunning: Bool {
        ProcessInfo.processInfo.environment["TMINUS_NEEDS_POSTGRES"] != nil || (try? common.get()) != nil
    }

    /// Whether tests run whose server has a clock that can be set: with libfaketime, and where a server is required.
    package static var hasClock: Bool {
        isRunning && (ProcessInfo.processInfo.environment["TMINUS_NEEDS_POSTGRES"] != nil || faketime != nil)
    }

    /// The environment of a program whose clock is set by a file, in which there are seconds with a sign. Its steady clock stays.
    package static func clockEnvironment(file: String) throws -> [String: String] {
        guard let faketime else {
            throw Missing(description: "libfaketime is not installed: apt-get install libfaketime")
        }
        return [
            "LD_PRELOAD": faketime, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    /// The path of libfaketime; nil if it is not installed.
    private static var faketime: String? {
        let files = FileManager.default
        let folders = (try? files.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }.first(where: files.fileExists)
    }

    /// The directory of the socket.
    package let directory: String
    private let process: pid_t
    private let input: CInt
    private let output: CInt

    /// Starts a server, and blocks the thread until it answers.
    private init(hasClock: Bool = false) throws {
        signal(SIGPIPE, SIG_IGN)
        var template = Array("\(Self.parent)/tminus-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Missing(description: "no temporary directory") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let script = Bundle.module.path(forResource: "cluster", ofType: "sh") else {
            throw Missing(description: "cluster.sh is missing")
        }
        var (toServer, fromServer): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw Missing(description: "no pipe") }
        for descriptor in toServer + fromServer { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (input, output) = (toServer[1], fromServer[0])
        defer { for descriptor in [toServer[0], fromServer[1]] { close(descriptor) } }
        process = try ChildProcess.start(
            (hasClock ? ["env", "CLOCK=1"] : []) + ["sh", script, directory],
            descriptors: [STDIN_FILENO: toServer[0], STDOUT_FILENO: fromServer[1]])
        let line = Self.line(from: output)
        guard line == "ready" else { throw Missing(description: line.isEmpty ? "the server did not start" : line) }
    }

    deinit {
        close(input)
        ChildProcess.wait(for: process)
        close(output)
    }

    /// The address of the server.
    package var address: String { "postgresql://tminus@/postgres?host=\(directory)" }

    /// Stops the server at once, as a crash does.
    package func stop() async throws { try await Blocking.value { self.order("stop\n") } }

    /// Starts it again.
    package func start() async throws { try await Blocking.value { self.order("start\n") } }

    /// Makes an asynchronous standby that has what the server has now, and gets nothing more.
    package func makeStandby() async throws { try await Blocking.value { self.order("standby\n") } }

    /// Ends the server as a crash does, and has the standby take its place.
    package func promoteStandby() async throws { try await Blocking.value { self.order("promote\n") } }

    /// Sets its clock, from that of the machine.
    package func setClock(by seconds: Int) async throws {
        try await Blocking.value { self.order("clock \(seconds < 0 ? "" : "+")\(seconds)\n") }
    }

    /// In memory where there is room. A file system on a disk takes a third of the server's time to create the files of the tables,
    /// many thousands for all tests.
    private static var parent: String {
        let memory = "/dev/shm"
        var space = statvfs()
        guard statvfs(memory, &space) == 0, space.f_bavail * space.f_frsize >= 1 << 30 else { return "/tmp" }
        return memory
    }

    private func order(_ line: String) {
        _ = line.withCString { write(input, $0, strlen($0)) }
        _ = Self.line(from: output)
    }

    /// The next line. Bounded: it comes within ten minutes or never.
    private static func line(from descriptor: CInt) -> String {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while poll(&request, 1, 600_000) == 1, read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
