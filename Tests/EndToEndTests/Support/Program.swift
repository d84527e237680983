import ChildProcessSupport
import Dispatch
import Foundation
import Glibc
import Testing
import TminusTestKit

/// A process started by a test. It is killed with this value, and when the test process ends.
final class Program: Sendable {
    /// The treatment of an output stream.
    enum Handling {
        /// A reader collects the lines.
        case isRead
        /// The stream is a full pipe that is never read, so writes block.
        case isStuck
    }

    /// The process id.
    let id: pid_t
    /// Standard output.
    let output = LineReader("standard output")
    /// Standard error.
    let errors = LineReader("standard error")
    private let status = Watched<CInt?>(nil)
    /// Read ends kept open, so that writes block instead of failing.
    private let unread: [CInt]

    /// Starts a program, looked up in PATH.
    init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = Program.environment,
        output outputHandling: Handling = .isRead, errors errorHandling: Handling = .isRead
    ) throws {
        let (outputEnd, outputStart) = try Self.pipe(outputHandling)
        let (errorsEnd, errorsStart) = try Self.pipe(errorHandling)
        let words = ["setpriv", "--pdeathsig", "KILL", "--", path] + arguments
        let (started, status) = (Watched<Result<pid_t, ChildProcess.DidNotStart>?>(nil), status)
        // The kernel sends the death signal when the thread that started the process ends (prctl(2), PR_SET_PDEATHSIG).
        // So that thread also waits for the process.
        let thread = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = Result { () throws(ChildProcess.DidNotStart) in
                try ChildProcess.start(
                    words, environment: environment,
                    descriptors: [STDOUT_FILENO: outputStart, STDERR_FILENO: errorsStart])
            }
            started.update { $0 = result }
            thread.signal()
            if case .success(let id) = result { Self.wait(for: id, status) }
        }
        thread.wait()
        close(outputStart)
        close(errorsStart)
        id = try #require(try started.value?.get())

        var unread: [CInt] = []
        for (handling, end, reader) in [(outputHandling, outputEnd, output), (errorHandling, errorsEnd, errors)] {
            switch handling {
            case .isRead: reader.start(end)
            case .isStuck: unread.append(end)
            }
        }
        self.unread = unread
    }

    private static func wait(for id: pid_t, _ status: Watched<CInt?>) {
        // WNOWAIT leaves the process a zombie until the status is set under the lock, so send(_:) cannot signal a
        // process that reuses the id.
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        status.update { status in
            var code: CInt = 0
            waitpid(id, &code, 0)
            status = code & 0x7f == 0 ? (code >> 8) & 0xff : 128 + (code & 0x7f)
        }
    }

    deinit {
        send(SIGKILL)
        for descriptor in unread { close(descriptor) }
    }

    /// Sends a signal unless the process has ended.
    func send(_ signal: CInt) {
        status.update { if $0 == nil { kill(id, signal) } }
    }

    /// Waits for the process to end and its output to be read. Returns the exit status, or 128 plus the signal number.
    @discardableResult
    func end() async throws -> CInt {
        guard await status.wait(upTo: Waiting.limit, until: { $0 != nil }), let code = status.value else {
            throw Waiting.Vain(what: "the end of process \(id)", seen: output.texts + errors.texts)
        }
        if unread.isEmpty {
            try await output.end()
            try await errors.end()
        }
        return code
    }

    /// The environment of the tests without variables that change tminus's default paths, its time zone or a hook's
    /// session bus.
    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("XDG_") && !["STATE_DIRECTORY", "DBUS_SESSION_BUS_ADDRESS", "TZ"].contains(name)
        }
    }

    private static func pipe(_ handling: Handling) throws -> (end: CInt, start: CInt) {
        var ends: [CInt] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ConformanceFailure("no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if case .isStuck = handling {
            let flags = fcntl(ends[1], F_GETFL)
            _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
            while write(ends[1], "x", 1) == 1 {}
            _ = fcntl(ends[1], F_SETFL, flags)
        }
        return (ends[0], ends[1])
    }
}

extension Program {
    /// The program under test, built beside the tests.
    static let tminus: String = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let tests = URL(fileURLWithPath: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
        let beside = tests.deletingLastPathComponent().appendingPathComponent("tminus").path
        return FileManager.default.isExecutableFile(atPath: beside) ? beside : repository + "/.build/debug/tminus"
    }()

    /// The package directory.
    static let repository: String = {
        var directory = URL(fileURLWithPath: #filePath)
        while directory.pathComponents.count > 1 {
            directory.deleteLastPathComponent()
            let manifest = directory.appendingPathComponent("Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { break }
        }
        return directory.path
    }()
}
