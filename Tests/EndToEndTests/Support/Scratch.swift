import Foundation
import TminusTestKit

/// A test's own directory with `config` and `state`, removed with this value.
final class Scratch: Sendable {
    /// The directory.
    let path: String
    /// The config directory.
    var config: String { "\(path)/config" }
    /// The state directory.
    var state: String { "\(path)/state" }

    /// Creates the directories with mode 0700.
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

    /// Writes a definition file atomically, by renaming, as a careful editor does.
    func save(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(config)/\(name)"), options: .atomic)
    }

    /// Removes a definition file.
    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(config)/\(name)")
    }

    /// The complete lines of a file in the config directory, where hooks run and relative paths resolve.
    func lines(_ name: String) -> [String] {
        let text = FileManager.default.contents(atPath: "\(config)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits until a file in the config directory has `count` lines, with a text if one is given. Returns all its lines.
    @discardableResult
    func lines(_ count: Int, of name: String, containing text: String = "") async throws -> [String] {
        let deadline = ContinuousClock.now + Waiting.limit
        while lines(name).count(where: { text.isEmpty || $0.contains(text) }) < count {
            guard ContinuousClock.now < deadline else {
                throw Waiting.Vain(what: "\(count) lines in \(name)", seen: lines(name))
            }
            // Poll: other processes write the file without notification.
            try await Task.sleep(for: .milliseconds(20))
        }
        return lines(name)
    }

    /// Waits until its daemon answers at the control socket, which it may open after definitions are in force.
    func answers() async throws {
        let ask = "'\(Program.tminus)' status --state '\(state)' >/dev/null 2>&1; [ $? -ne 69 ]"
        // Nobody tells that the socket is open: a shell asks again.
        try await Program("/bin/sh", ["-c", "until \(ask); do sleep 0.05; done"]).end()
    }

    /// Runs a query on the store and returns the rows as sqlite3(1) prints them.
    func query(_ sql: String) async throws -> [String] {
        let tool = try Program("sqlite3", ["-readonly", "-cmd", ".timeout 600000", "\(state)/tminus.sqlite", sql])
        guard try await tool.end() == 0 else { throw Waiting.Vain(what: sql, seen: tool.errors.texts) }
        return tool.output.texts
    }

    /// Changes the store of a stopped daemon.
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
            // Poll: the daemon changes the store without notification.
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
