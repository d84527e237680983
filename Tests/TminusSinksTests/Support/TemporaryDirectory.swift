import Foundation
import Glibc

/// A directory of a test's own, removed with the last reference to it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // A broken pipe is an error here as in the daemon, and not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        path = NSTemporaryDirectory() + "tminus-sinks-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
        if mode & 0o111 != 0 { waitForWriters(name) }
    }

    /// A child that another test forked meanwhile holds the file open for writing until its exec, and a program that somebody
    /// writes cannot be started (ETXTBSY). A lease to read is refused as long (fcntl(2), F_SETLEASE).
    private func waitForWriters(_ name: String) {
        let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        for _ in 0..<10_000 {
            if fcntl(descriptor, 1_024, CInt(F_RDLCK)) == 0 || errno != EAGAIN { break }
            usleep(1_000)
        }
        _ = fcntl(descriptor, 1_024, CInt(F_UNLCK))
    }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The lines of a file, each of which must be ended.
    func lines(_ name: String) -> [[UInt8]] {
        guard let data = FileManager.default.contents(atPath: file(name)) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
}
