import GRDB
import Glibc
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: trouble")
struct SQLiteTroubleTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test("a file that is removed or replaced under the store is said, and put back it serves again")
    func replaced() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let firings = [try Firing.sample("first")]
        #expect(rename(scratch.path, scratch.path + ".away") == 0)
        let error = await #expect(throws: StoreError.self) { try await store.write(firings) }
        #expect(error?.message.hasPrefix("\(scratch.path): was removed or replaced") == true)
        #expect(rename(scratch.path + ".away", scratch.path) == 0)
        try await store.write(firings)
        #expect(try await store.claim().count == 1)
    }

    @Test("a store whose log cannot be opened says what SQLite says")
    func unopenable() async throws {
        try await SQLiteStore(path: scratch.path).close()
        // A link to itself cannot be opened.
        #expect(symlink(scratch.path + "-wal", scratch.path + "-wal") == 0)
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }
        #expect(
            error?.message.hasPrefix(
                "\(scratch.path): this file or one beside it cannot be opened (unable to open database file)") == true,
            "\(error?.message ?? "no error")")
    }

    @Test("a store that cannot grow says so, writes nothing by halves, and works again when there is room")
    func full() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("first")])
        try await store.perform { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let many = try (0..<2_000).map { try Firing.sample("t\($0)") }
        let error = await #expect(throws: StoreError.self) { try await store.write(many) }
        #expect(error?.kind == .full)
        #expect(error?.message.hasPrefix("\(scratch.path): no room on the disk") == true)
        // What is there can be delivered and settled meanwhile, as that needs no more room.
        #expect(try await store.perform { try Int.fetchOne($0, sql: "SELECT count(*) FROM firing") } == 1)
        let claim = try #require(try await store.claim().first)
        #expect(claim.definition.rawValue == "first")
        try await store.perform { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        try await store.write(many)
        #expect(try await store.claim(.sample(limit: 5_000, room: 5_000)).count == 2_000)
    }

    @Test(
        "a full disk is reported, nothing is written by halves, and freed space is enough to go on",
        .enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a small file system"))
    func fullDisk() async throws {
        let disk = try SmallFileSystem(kilobytes: 8_192)
        let store = try SQLiteStore(path: disk.scratch.path)
        let ballast = "\(disk.scratch.directory)/ballast"
        try disk.scratch.write([UInt8](repeating: 1, count: 7_400 << 10), to: ballast)
        let many = try (0..<1_500).map { try Firing.sample("t\($0)") }
        let error = await #expect(throws: StoreError.self) { try await store.write(many) }
        #expect(error?.kind == .full)
        #expect(try await store.claim().isEmpty)
        unlink(ballast)
        try await store.write(many)
        #expect(try await store.claim(.sample(limit: 2_000, room: 2_000)).count == 1_500)
    }

    @Test(
        "a full disk at the start is reported",
        .enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a small file system"))
    func fullDiskAtStart() throws {
        let disk = try SmallFileSystem(kilobytes: 16)
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: disk.scratch.path) }
        #expect(error?.kind == .full)
    }

    @Test(
        "a read-only file system is reported with what to do",
        .enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a small file system"))
    func readOnlyFileSystem() async throws {
        let disk = try SmallFileSystem(kilobytes: 1_024)
        try await SQLiteStore(path: disk.scratch.path).close()
        try disk.makeReadOnly()
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: disk.scratch.path) }
        #expect(error?.kind == .readOnly)
        #expect(error?.message.contains("give this user write access") == true)
    }

    @Test("a file without write permission is reported", .enabled(if: getuid() != 0, "root may write every file"))
    func readOnlyFile() async throws {
        try await SQLiteStore(path: scratch.path).close()
        chmod(scratch.path, 0o400)
        #expect(#expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }?.kind == .readOnly)
    }

    @Test("a store that turns read-only while it is open is reported")
    func turnsReadOnly() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.perform { try $0.execute(sql: "PRAGMA query_only = ON") }
        let error = await #expect(throws: StoreError.self) {
            try await store.write([.sample("tea")])
        }
        #expect(error?.kind == .readOnly)
    }

    @Test("a verb that another program keeps from writing says that the store is locked, and works afterwards")
    func locked() async throws {
        let store = try SQLiteStore(path: scratch.path, busyTimeout: .milliseconds(20))
        let other = try DatabaseQueue(path: scratch.path)
        try await other.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS lockable (x)") }
        let firings = [try Firing.sample("tea")]
        let holder = SQLiteHolder(path: scratch.path)
        try holder.hold()
        let error = await #expect(throws: StoreError.self) { try await store.write(firings) }
        #expect(error?.kind == .locked)
        #expect(error?.message.contains("another program holds it") == true)
        // Reading goes on: a writer elsewhere does not stop a reader of a write-ahead log.
        #expect(try await store.deliveries(DeliveryFilter()).isEmpty)
        try holder.release()
        try await store.write(firings)
    }

    @Test("two stores on one file see each other's writes and never hand out the same delivery")
    func twoStores() async throws {
        let (one, two) = (try SQLiteStore(path: scratch.path), try SQLiteStore(path: scratch.path))
        try await one.write(try (0..<200).map { try .sample("t\($0)") })
        let ids = try await withThrowingTaskGroup(of: [DeliveryID].self) { group in
            for round in 0..<10 {
                let store = round % 2 == 0 ? one : two
                group.addTask { try await store.claim(.sample(limit: 30, owner: "\(round)")).map(\.id) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ids.count == 200)
        #expect(Set(ids).count == 200)
    }
}

/// Another program that holds the write lock.
private struct SQLiteHolder {
    private let queue: DatabaseQueue?

    init(path: String) {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try? DatabaseQueue(path: path, configuration: configuration)
    }

    func hold() throws {
        try #require(queue).inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws {
        try #require(queue).inDatabase { try $0.execute(sql: "ROLLBACK") }
    }
}
