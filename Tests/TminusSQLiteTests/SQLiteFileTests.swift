import Foundation
import GRDB
import Glibc
import Testing
import TminusCore
import TminusStorage
import TminusSystem

@testable import TminusSQLite

@Suite("SQLite store: its file")
struct SQLiteFileTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test("a write-ahead log that is flushed at every commit, and foreign keys, are in force")
    func pragmas() async throws {
        let store = try SQLiteStore(path: scratch.path, busyTimeout: .milliseconds(1_234))
        func pragma(_ name: String) async throws -> String? {
            try await store.perform { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }
        #expect(try await pragma("journal_mode") == "wal")
        #expect(try await pragma("synchronous") == "2")
        #expect(try await pragma("foreign_keys") == "1")
        #expect(try await pragma("busy_timeout") == "1234")
        #expect(try await pragma("application_id") == String(Migrations.applicationID))
    }

    @Test("a firing is flushed to the disk; a claim and a settlement only follow it in order")
    func durability() async throws {
        let store = try SQLiteStore(path: scratch.path)
        func synchronous() async throws -> Int? {
            try await store.perform { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        for second in [0, 10] as [Int64] {
            try await store.write([.sample("t\(second)")], at: second)
            #expect(try await synchronous() == 2)
            let claimed = try await store.claim(at: second)
            #expect(try await synchronous() == 1)
            try await store.settle(claimed, at: second)
            #expect(try await store.deliveries(DeliveryFilter(states: [.claimed])).isEmpty)
            #expect(try await synchronous() == 1)
        }
        #expect(try await store.discard(DeliveryFilter(ids: []), now: .at(20)) == Discarded())
        #expect(try await synchronous() == 2)
    }

    @Test("a commit that makes the log long is answered first, and the log is moved into the file after it")
    func checkpoint() async throws {
        let scratch = scratch
        let store = try SQLiteStore(path: scratch.path)
        @Sendable func fileSize() -> UInt64 { FilePlacing.size(of: scratch.path) ?? 0 }
        try await store.perform { db in
            let before = fileSize()
            for _ in 1...4 {
                try db.inTransaction {
                    try db.execute(sql: "CREATE TABLE IF NOT EXISTS large (bytes BLOB)")
                    try db.execute(sql: "INSERT INTO large VALUES (zeroblob(2000000))")
                    return .commit
                }
            }
            #expect(fileSize() == before, "the log is moved within a commit")
        }
        // The connection does one thing after the other.
        try await store.perform { _ in #expect(fileSize() > 8_000_000) }
    }

    @Test("a log that killed processes left is moved, however little each life writes")
    func checkpointAfterKills() async throws {
        var (path, logs) = (scratch.path, [UInt64]())
        for life in 1...6 {
            let store = try SQLiteStore(path: path)
            try await store.perform { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS large (bytes BLOB)")
                try db.execute(sql: "INSERT INTO large VALUES (zeroblob(2000000))")
            }
            // What a killed process leaves. This one must not write to it any more.
            let left = "\(scratch.path)-\(life)"
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: left + suffix)
            }
            logs.append(FilePlacing.size(of: "\(left)-wal") ?? 0)
            try await store.close()
            path = left
        }
        #expect(logs.allSatisfy { $0 > 2_000_000 && $0 < 5_000_000 }, "\(logs)")
    }

    @Test("after the store is closed, what is still queued makes no checkpoint")
    func checkpointAfterClose() throws {
        let queue = try StoreOpening(path: scratch.path, busyTimeout: .seconds(1)).open()
        try queue.close()
        queue.inDatabase(LogCheckpoints.makeIfDue)
    }

    @Test("a settlement whose token is not one of the store's, or not that of the delivery, changes nothing")
    func foreignToken() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("a"), .sample("b")])
        let claimed = try await store.claim()
        let (first, second) = (claimed[0], claimed[1])
        let token = first.claim.token
        for other in ["", "-", "x-", "x-1", "1", "\(token)0", "\(token)-1", second.claim.token] {
            var foreign = first
            foreign.claim.token = other
            try await store.settle([foreign])
            #expect(try await store.deliveries(DeliveryFilter(states: [.claimed])).count == 2, "\(other)")
        }
        try await store.settle([first])
        #expect(try await store.deliveries(DeliveryFilter(states: [.delivered])).map(\.id) == [first.id])
    }

    /// What is in the directory of the store, with sizes and times.
    private func listing() -> [String] {
        ["", "-wal", "-shm"].map { suffix in
            var status = stat()
            guard stat(scratch.path + suffix, &status) == 0 else { return "-" }
            return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
        }
    }

    @Test("reading beside a writer sees what it has committed; without one nothing is made or changed")
    func reading() async throws {
        #expect(try SQLiteStore.reading(path: scratch.path) == nil)
        #expect(listing() == ["-", "-", "-"])
        let store = try SQLiteStore(path: scratch.path)
        try await store.keep([KeptFile(path: "a.yaml", content: [1])], forget: [], root: "/c", now: .at(0))
        let beside = try #require(try SQLiteStore.reading(path: scratch.path))
        #expect(try await beside.keptFiles(root: "/c").files.map(\.path) == ["a.yaml"])
        await #expect(throws: StoreError.self) {
            try await beside.keep([], forget: ["a.yaml"], root: "/c", now: .at(1))
        }
        try await beside.close()
        try await store.keep([KeptFile(path: "b.yaml", content: [2])], forget: [], root: "/c", now: .at(2))
        try await store.close()
        let before = listing()
        let alone = try #require(try SQLiteStore.reading(path: scratch.path))
        #expect(try await alone.keptFiles(root: "/c").files.map(\.path) == ["a.yaml", "b.yaml"])
        try await alone.close()
        #expect(listing() == before)
        #expect(before[1] == "-")
    }

    @Test("a directory or a pipe in the place of the store is named as what it is, for reading too")
    func special() throws {
        let expected = StoreError(
            .other, "\(scratch.path): is not a file; move it away, or choose another state directory")
        for make in [{ mkdir($0, 0o700) }, { mkfifo($0, 0o600) }] as [(String) -> CInt] {
            try #require(make(scratch.path) == 0)
            #expect(throws: expected) { try SQLiteStore.reading(path: scratch.path) }
            #expect(throws: expected) { try SQLiteStore(path: scratch.path) }
            #expect(StoreExamination(of: scratch.path).outcome == .refused(expected))
            remove(scratch.path)
        }
    }

    @Test("only the owner may read the file, its log and its shared memory")
    func mode() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        for suffix in ["", "-wal", "-shm"] { #expect(scratch.mode(scratch.path + suffix) == 0o600, "\(suffix)") }
    }

    @Test("what was committed is there after the process was killed, without the shared memory or a close")
    func crash() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        // The file and its log as the disk has them at this moment, which is what a restart would find.
        let other = try Scratch()
        try other.write(try scratch.read())
        try other.write(try scratch.read(scratch.path + "-wal"), to: other.path + "-wal")
        #expect(try await SQLiteStore(path: other.path).claim().count == 1)
    }

    @Test("closing moves everything into the one file")
    func closing() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        try await store.close()
        #expect(scratch.mode(scratch.path + "-wal") == nil)
        #expect(try await SQLiteStore(path: scratch.path).claim().count == 1)
    }

    @Test(
        "a file that is no database is reported and left as it is",
        arguments: [10, 100, 4_096, 70_000])
    func garbage(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        try scratch.write(bytes)
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }
        #expect(error?.kind == .damaged)
        #expect(error?.message.hasPrefix("\(scratch.path): ") == true)
        #expect(error?.message.contains(".recover") == true)
        #expect(try scratch.read() == bytes)
    }

    @Test("a file with damaged pages is reported at the latest when they are used, and never as a crash")
    func damagedPages() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write(try (0..<500).map { try .sample("t\($0)") })
        try await store.close()
        var bytes = try scratch.read()
        for index in bytes.indices.dropFirst(4_096) { bytes[index] = UInt8(truncatingIfNeeded: index &* 131) }
        try scratch.write(bytes)
        let error = await #expect(throws: StoreError.self) {
            _ = try await SQLiteStore(path: scratch.path).claim()
        }
        #expect(error?.kind == .damaged)
        #expect(try scratch.read() == bytes)
    }

    @Test("a database of another program is refused and left as it is")
    func foreign() throws {
        try DatabaseQueue(path: scratch.path).inDatabase { try $0.execute(sql: "CREATE TABLE theirs (x)") }
        let bytes = try scratch.read()
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }
        #expect(error?.message.contains("not a store of tminus") == true)
        #expect(try scratch.read() == bytes)
    }

    @Test("a store that a newer tminus has written is refused and left as it is")
    func newer() async throws {
        try await SQLiteStore(path: scratch.path).close()
        try DatabaseQueue(path: scratch.path).inDatabase {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('M999')")
        }
        #expect(#expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }?.kind == .tooNew)
    }

    @Test("a directory that does not exist is named, with what to do")
    func missingDirectory() {
        let path = "\(scratch.directory)/none/tminus.sqlite"
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
        #expect(error?.message == "\(path): its directory does not exist; create it, or choose another state directory")
    }

    @Test("a directory or a pipe in the place of the file is refused")
    func notAFile() throws {
        #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.directory) }
        #expect(mkfifo(scratch.path, 0o600) == 0)
        #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }
    }
}
