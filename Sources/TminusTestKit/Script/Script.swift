internal import Foundation

/// A program that a test writes and starts.
package enum Script {
    /// Writes an executable file, and returns when it can be started.
    package static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        waitUntilStartable(path)
    }

    /// Copies a program, and returns when the copy can be started.
    package static func copy(_ program: String, to path: String) throws {
        try FileManager.default.copyItem(atPath: program, toPath: path)
        waitUntilStartable(path)
    }

    /// A child that another test forked meanwhile holds the file open for writing until its exec, and a program that somebody
    /// writes cannot be started (execve(2), ETXTBSY). A lease to read is refused as long (fcntl(2), F_SETLEASE).
    private static func waitUntilStartable(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        for _ in 0..<10_000 {
            if fcntl(descriptor, 1_024, CInt(F_RDLCK)) == 0 || errno != EAGAIN { break }
            usleep(1_000)
        }
        _ = fcntl(descriptor, 1_024, CInt(F_UNLCK))
    }
}
