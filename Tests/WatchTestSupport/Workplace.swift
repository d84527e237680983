import Glibc
import Synchronization

/// A directory of its own for one test, outside of the temporary directory: editors save in another way there.
package final class Workplace: Sendable {
    /// The absolute path.
    package let path: String
    private let groups = Mutex<[pid_t]>([])

    /// A new, empty directory below the build directory.
    package init() throws {
        var package = #filePath.split(separator: "/").dropLast(3).map(String.init)
        package += [".build", "watch-tests"]
        let parent = "/" + package.joined(separator: "/")
        mkdir("/" + package.dropLast().joined(separator: "/"), 0o755)
        mkdir(parent, 0o755)
        var template = Array("\(parent)/XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ScriptFailure(text: "mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for group in groups.withLock({ $0 }) { kill(-group, SIGKILL) }
        _ = try? Script("chmod -R u+rwx . ; cd / && rm -rf \"$OLDPWD\"", in: path).run()
    }

    /// Runs a shell script here, and returns when it has ended.
    package func run(_ script: String) throws { try Script(script, in: path).run() }

    /// Runs a shell script here, on a thread of its own. Whatever it leaves running ends with the place.
    ///
    /// - Throws: ``ScriptFailure`` if it fails or is not done within `limit`.
    package func run(_ script: String, environment: [String: String], within limit: Duration) async throws {
        let script = Script(script, in: path, environment: environment, hasOwnGroup: true)
        try await script.run(within: limit) { group in groups.withLock { $0.append(group) } }
    }
}
