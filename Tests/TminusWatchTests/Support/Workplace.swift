import Glibc
import Testing

/// A directory of its own for one test, outside of the temporary directory: editors save in another way there.
final class Workplace: Sendable {
    let path: String

    init() throws {
        var package = #filePath.split(separator: "/").dropLast(4).map(String.init)
        package += [".build", "watch-tests"]
        let parent = "/" + package.joined(separator: "/")
        mkdir("/" + package.dropLast().joined(separator: "/"), 0o755)
        mkdir(parent, 0o755)
        var template = Array("\(parent)/XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(text: "mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        _ = try? Self.run("chmod -R u+rwx . ; cd / && rm -rf \"$OLDPWD\"", in: path)
    }

    struct Failure: Error {
        var text: String
    }

    /// Runs a shell script here, and returns when it has ended.
    func run(_ script: String) throws { try Self.run(script, in: path) }

    /// The script is the test's own text; the directory reaches it by the environment.
    private static func run(_ script: String, in directory: String) throws {
        let arguments = ["/bin/sh", "-ec", "cd \"$PLACE\"\n" + script]
        let environment = [
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PLACE=\(directory)",
            "HOME=\(directory)",
            "TERM=dumb",
        ]
        let pointers = arguments.map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for pointer in pointers + variables { free(pointer) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/bin/sh", nil, nil, pointers + [nil], variables + [nil])
        guard code == 0 else { throw Failure(text: "posix_spawn: errno \(code)") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(text: "status \(status) of: \(script)") }
    }
}
