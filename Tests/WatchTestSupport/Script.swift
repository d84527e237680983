import ChildProcessSupport
import Dispatch
import Glibc

/// What a script ended with, or why it could not begin.
package struct ScriptFailure: Error, CustomStringConvertible {
    /// One sentence.
    package var text: String
    package var description: String { text }

    /// A failure that says this.
    package init(text: String) {
        self.text = text
    }
}

/// A shell script of a test. The text is the test's own; the directory reaches it by the environment.
struct Script: Sendable {
    let text: String
    let directory: String
    let environment: [String: String]
    /// Whether it can be ended with everything that it started.
    let hasOwnGroup: Bool

    init(_ text: String, in directory: String, environment: [String: String] = [:], hasOwnGroup: Bool = false) {
        self.text = text
        self.directory = directory
        let standard = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PLACE": directory,
            "HOME": directory, "TERM": "dumb",
        ]
        self.environment = standard.merging(environment) { _, new in new }
        self.hasOwnGroup = hasOwnGroup
    }

    /// Runs it, and returns when it has ended.
    func run() throws {
        try check(ChildProcess.wait(for: start()))
    }

    /// As above, on another thread; `began` is told the process group.
    func run(within limit: Duration, began: (pid_t) -> Void) async throws {
        let child = try start()
        began(child)
        let timer = Task {
            // The limit of the wait below.
            try await Task.sleep(for: limit)
            kill(-child, SIGKILL)
        }
        defer { timer.cancel() }
        let status = await withCheckedContinuation { continuation in
            DispatchQueue(label: "blocking").async { continuation.resume(returning: ChildProcess.wait(for: child)) }
        }
        try check(status)
    }

    private func start() throws -> pid_t {
        try ChildProcess.start(
            ["/bin/sh", "-ec", "cd \"$PLACE\"\n" + text], environment: environment, hasOwnGroup: hasOwnGroup)
    }

    private func check(_ status: Int32) throws {
        guard status == 0 else { throw ScriptFailure(text: "status \(status) of: \(text)") }
    }
}
