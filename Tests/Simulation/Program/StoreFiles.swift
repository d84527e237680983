import CVolatileDisk
import Foundation
import TminusCore
import TminusSQLite

/// The files of a SQLite store, and what of them is left when the program ends without closing it.
///
/// Each life of the process has a directory of its own, so a connection that lives on writes nothing that the next one sees.
struct StoreFiles {
    /// The store on the present files.
    private(set) var store: SQLiteStore
    private let root: URL
    private var lives = 1

    /// A new store, in memory if the machine has a file system there.
    init() throws {
        guard Self.isInstalled else { throw StoreError(.other, "the disk that forgets cannot be installed") }
        let shared = URL(filePath: "/dev/shm")
        let parent = FileManager.default.isWritableFile(atPath: shared.path) ? shared : URL(filePath: "/tmp")
        root = parent.appending(path: "tminus-sim-\(getpid())-\(UUID().uuidString)")
        store = try SQLiteStore(path: Self.path(in: try Self.make(1, in: root)))
    }

    /// Opens what a killed process leaves: all that it wrote.
    mutating func kill() async throws {
        try await reopen { from, to in
            for name in try FileManager.default.contentsOfDirectory(atPath: from.path) where !name.hasSuffix("-shm") {
                try FileManager.default.copyItem(at: from.appending(path: name), to: to.appending(path: name))
            }
            // The kernel keeps unsynchronized writes after a kill. A later power cut can lose them.
            volatile_disk_move(from.path, to.path)
        }
    }

    /// Opens what a power cut leaves: all that was synchronized, and some of the rest. Returns how many writes were lost.
    mutating func cutPower(seed: UInt64) async throws -> Int {
        var lost = 0
        try await reopen { from, to in
            lost = volatile_disk_cut(from.path, to.path, seed)
            guard lost >= 0 else { throw StoreError(.other, "the files cannot be written: errno \(errno)") }
        }
        return lost
    }

    /// Does work while the disk takes at most `changes` changes. Returns whether the work needed more.
    func stopping<Value>(after changes: Int, _ work: () async -> Value) async -> (value: Value, isCutOff: Bool) {
        await awaitCheckpoint()
        volatile_disk_stop(Self.directory(lives, in: root).path, changes)
        let value = await work()
        await awaitCheckpoint()
        return (value, volatile_disk_go_on())
    }

    /// Closes the store and removes its files.
    func remove() async {
        try? await store.close()
        volatile_disk_forget(root.path)
        try? FileManager.default.removeItem(at: root)
    }

    /// Waits for what the store does after it has answered: a checkpoint. Otherwise one seed would have several histories.
    private func awaitCheckpoint() async { _ = try? await store.read { _ in } }

    private mutating func reopen(_ leave: (URL, URL) throws -> Void) async throws {
        await awaitCheckpoint()
        let former = Self.directory(lives, in: root)
        lives += 1
        let directory = try Self.make(lives, in: root)
        try leave(former, directory)
        store = try SQLiteStore(path: Self.path(in: directory))
        // The former connection is closed later. It finds its files gone, and writes nothing.
        try FileManager.default.removeItem(at: former)
        volatile_disk_forget(former.path)
    }

    /// From here on SQLite writes all files of this process to the disk that forgets.
    private static let isInstalled = LibrarySettings.inForce && volatile_disk_install() == 0

    private static func directory(_ life: Int, in root: URL) -> URL { root.appending(path: "\(life)") }

    private static func make(_ life: Int, in root: URL) throws -> URL {
        let directory = directory(life, in: root)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    private static func path(in directory: URL) -> String { directory.appending(path: "store.sqlite").path }
}
