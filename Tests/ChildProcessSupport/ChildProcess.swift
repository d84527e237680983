internal import Foundation
package import Glibc

/// Programs that tests start.
///
/// They get no descriptor that is not meant for them: the HTTP library accepts connections without SOCK_CLOEXEC, and a
/// connection stays open as long as any process has its descriptor, even when the server has closed it.
package enum ChildProcess {
    /// Why a program did not start.
    package struct DidNotStart: Error, CustomStringConvertible {
        /// The program, and errno.
        package var description: String
    }

    /// Starts a program, looked up in PATH. `descriptors` has its descriptors by their numbers there. Its standard input
    /// is empty, and the other two streams and the environment are those of this process, unless they are given.
    package static func start(
        _ words: [String], environment: [String: String]? = nil, descriptors: [CInt: CInt] = [:],
        hasOwnGroup: Bool = false
    ) throws(DidNotStart) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (there, here) in descriptors { posix_spawn_file_actions_adddup2(&actions, here, there) }
        // Swift does not see posix_spawn_file_actions_addclosefrom_np(3). Closing a descriptor that is not open does nothing,
        // and other threads may open some before the program starts.
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }.max()
        for descriptor in STDERR_FILENO + 1...(open ?? STDERR_FILENO) + 1_000 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if hasOwnGroup {
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
            posix_spawnattr_setpgroup(&attributes, 0)
        }
        let arguments = words.map { strdup($0) } + [nil]
        let environment = environment ?? ProcessInfo.processInfo.environment
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process = pid_t()
        let code = posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw DidNotStart(description: "\(words[0]) does not start: errno \(code)") }
        return process
    }

    /// Waits for the end of a process, and returns its status (wait(2)).
    @discardableResult
    package static func wait(for process: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
