import Foundation
import TminusTestKit

/// A directory of one test's own with `config` and `state` in it, removed with its value.
final class Scratch: Sendable {
    let path: String
    var config: String { "\(path)/config" }
    var state: String { "\(path)/state" }

    init() throws {
        path = NSTemporaryDirectory() + "tminus-e2e-" + UUID().uuidString
        let files = FileManager.default
        for directory in [config, state] {
            try files.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a definition file as a careful editor does: beside it, then renamed into place.
    func save(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(config)/\(name)"), options: .atomic)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(config)/\(name)")
    }

    /// The whole lines of a file of the config directory, where hooks run and relative paths lead.
    func lines(_ name: String) -> [String] {
        let text = FileManager.default.contents(atPath: "\(config)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits until a file of the config directory has that many lines.
    @discardableResult
    func lines(_ count: Int, of name: String) async throws -> [String] {
        let deadline = ContinuousClock.now + Waiting.limit
        while lines(name).count < count {
            guard ContinuousClock.now < deadline else {
                throw Waiting.Vain(what: "\(count) lines in \(name)", seen: lines(name))
            }
            // Other processes write the file, and they tell nobody.
            try await Task.sleep(for: .milliseconds(20))
        }
        return lines(name)
    }

    /// The rows that a query of the store yields, as the sqlite3 tool prints them.
    func query(_ sql: String) async throws -> [String] {
        let tool = try Program("sqlite3", ["-readonly", "-cmd", ".timeout 5000", "\(state)/tminus.sqlite", sql])
        guard try await tool.end() == 0 else { throw Waiting.Vain(what: sql, seen: tool.errors.texts) }
        return tool.output.texts
    }

    /// Changes the store of a daemon that does not run.
    func change(_ sql: String) async throws {
        let tool = try Program("sqlite3", ["\(state)/tminus.sqlite", sql])
        guard try await tool.end() == 0 else { throw Waiting.Vain(what: sql, seen: tool.errors.texts) }
    }

    /// Waits until a query yields these rows.
    func query(_ sql: String, yields rows: [String]) async throws {
        let deadline = ContinuousClock.now + Waiting.limit
        while try await query(sql) != rows {
            guard ContinuousClock.now < deadline else {
                throw Waiting.Vain(what: "\(rows) from \(sql)", seen: try await query(sql))
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
