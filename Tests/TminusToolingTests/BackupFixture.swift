import Foundation
import TminusCore
import TminusSQLite
import TminusStorage
import TminusSystem
import TminusTooling

/// A machine with a store and definitions, and another to restore on.
final class BackupFixture: Sendable {
    let root: TemporaryDirectory
    static let now = Timestamp(seconds: 1_790_000_000)

    var config: String { "\(root.path)/config" }
    var state: String { "\(root.path)/state" }
    var store: String { "\(state)/tminus.sqlite" }
    var archive: String { "\(root.path)/backup.tar" }

    /// Places below `place`, or in a directory of their own.
    init(_ files: [String: String] = ["tea.yaml": "timers: {}\n"]) throws {
        root = try TemporaryDirectory()
        for directory in [config, state] {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for (name, text) in files { try root.write("config/\(name)", text) }
    }

    /// Makes a store that has this file as its last good content.
    func makeStore(with name: String = "kept.yaml") async throws {
        let store = try SQLiteStore(path: store)
        try await store.keep([KeptFile(path: name, content: [1])], forget: [], root: "/c", now: Self.now)
        try await store.close()
    }

    /// The files that the store has the last good content of.
    func keptFiles() async throws -> String? {
        guard let store = try SQLiteStore.reading(path: store) else { return nil }
        let files = try await store.keptFiles(root: "/c").files.map(\.path)
        try await store.close()
        return files.joined(separator: " ")
    }

    func backup(replaces: Bool = false) async throws -> Backup.Result {
        try await Backup(
            target: archive, config: config, stateDirectory: state, storePath: store, version: "1.2.3",
            replaces: replaces
        ).make(now: Self.now)
    }

    func restore(_ source: Restore.Source? = nil, config: String? = nil) async throws -> Restore.Result {
        try await Restore(
            source: source ?? .backup(archive), config: config ?? self.config, stateDirectory: state, storePath: store,
            catchesUp: false, allowsInsecurePermissions: false
        ).run(now: Self.now)
    }

    /// All paths with the content of files, and the targets of links, except for the lock and the archive.
    func listing() throws -> [String: String] {
        var found: [String: String] = [:]
        let names = FileManager.default.enumerator(atPath: root.path)
        while let name = names?.nextObject() as? String {
            let path = "\(root.path)/\(name)"
            if name.hasSuffix("tminus.lock") || path == archive { continue }
            if let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                found[name] = "-> \(link)"
            } else {
                found[name] = FileManager.default.contents(atPath: path).map { $0.base64EncodedString() } ?? "/"
            }
        }
        return found
    }
}

extension TemporaryDirectory {
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }
}
