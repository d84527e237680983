import Foundation
import Glibc
import TminusTestKit

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

    func write(_ name: String, _ text: String, isProgram: Bool = false) throws {
        if isProgram { return try Script.write(text, to: file(name)) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
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
