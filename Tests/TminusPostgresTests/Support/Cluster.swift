import Foundation
import Glibc
import Synchronization
import TminusCore

@testable import TminusPostgres

/// A PostgreSQL server of the tests: `cluster.sh` in a process of its own, which ends with this one.
final class Cluster: Sendable {
    /// The server, or why there is none.
    static let shared = Result { try Cluster() }

    /// Why the tests cannot run.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// Whether the server runs.
    static var isRunning: Bool { (try? shared.get()) != nil }

    /// The directory of the socket.
    let directory: String
    private let process: pid_t
    private let input: CInt
    private let output: CInt

    /// Starts a server.
    init() throws {
        signal(SIGPIPE, SIG_IGN)
        var template = Array("/tmp/tminus-pg-XXXXXX".utf8CString)
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
        process = try Self.spawn(
            ["sh", script, directory], [(toServer[0], STDIN_FILENO), (fromServer[1], STDOUT_FILENO)])
        let line = Self.line(from: output)
        guard line == "ready" else { throw Missing(description: line.isEmpty ? "the server did not start" : line) }
    }

    deinit {
        close(input)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        close(output)
    }

    /// The address of the server.
    var address: String { "postgresql://tminus@/postgres?host=\(directory)" }

    /// Stops the server at once, as a crash does.
    func stop() { order("stop\n") }

    /// Starts it again.
    func start() { order("start\n") }

    /// A connection of the test.
    func connection() throws -> Connection {
        try Connection(try PostgresAddress(address).settings, try Library.loaded.get())
    }

    /// Runs statements, each for itself.
    func run(_ statements: String...) throws {
        let connection = try connection()
        defer { connection.finish() }
        for statement in statements {
            try connection.send(statement, [])
            _ = try connection.answers()
        }
    }

    private func order(_ line: String) {
        _ = line.withCString { write(input, $0, strlen($0)) }
        _ = Self.line(from: output)
    }

    /// The next line. Bounded: it comes within a minute or never.
    private static func line(from descriptor: CInt) -> String {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while poll(&request, 1, 60_000) == 1, read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func spawn(_ words: [String], _ descriptors: [(CInt, CInt)]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawnp(&process, words[0], &actions, nil, arguments + [nil], environ) == 0 else {
            throw Missing(description: "sh cannot be started")
        }
        return process
    }
}

/// A schema of its own, in which stores are opened.
struct Place: Sendable {
    let cluster: Cluster
    let schema: SchemaName

    init(_ cluster: Cluster? = nil) throws {
        self.cluster = try cluster ?? Cluster.shared.get()
        let name = SchemaName("t_\(String(UInt64.random(in: 0 ... .max), radix: 36))")
        guard let name else { throw Cluster.Missing(description: "no name for a schema") }
        schema = name
    }

    /// Opens the store of a daemon with the given place of its state, in a run of its own.
    func open(_ machine: String = "here", lease: Duration = .seconds(10)) throws -> PostgresStore {
        try PostgresStore(
            try PostgresAddress(cluster.address), schema: schema, machine: machine, process: "\(machine), process 7",
            lease: lease)
    }

    /// Opens a store that shares the lease of every other one from here.
    func openBeside() throws -> PostgresStore {
        try PostgresStore(
            try PostgresAddress(cluster.address), schema: schema, machine: "here", process: "here, process 7",
            run: "shared")
    }
}
