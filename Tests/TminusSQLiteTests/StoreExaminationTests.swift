import Foundation
import GRDB
import Glibc
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: looking at the file")
struct StoreExaminationTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.directory).sorted()
    }

    private func outcome(_ migrations: Migrations = .standard) -> StoreExamination.Outcome {
        StoreExamination(of: scratch.path, migrations).outcome
    }

    @Test("no store, a closed one and one in use are seen as they are; no file is made or changed")
    func whole() async throws {
        #expect(StoreExamination(of: scratch.path) == StoreExamination(.absent))
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        let open = try names()
        let used = StoreExamination(of: scratch.path)
        #expect(used.outcome == .whole(schema: SQLiteStore.schema, isCurrent: true) && used.logSize > 0)
        #expect(try names() == open)
        // A daemon goes on meanwhile.
        try await store.write([.sample("egg")], at: 1)
        try await store.close()
        let before = try scratch.read()
        #expect(outcome() == .whole(schema: SQLiteStore.schema, isCurrent: true))
        #expect(try names() == ["tminus.sqlite"] && scratch.read() == before)
    }

    @Test("a copy that has the log without its index is not opened, because that would make the index")
    func unchecked() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        let copy = "\(scratch.directory)/copy.sqlite"
        try scratch.write(scratch.read(), to: copy)
        try scratch.write(scratch.read("\(scratch.path)-wal"), to: "\(copy)-wal")
        let found = StoreExamination(of: copy)
        #expect(found.outcome == .unchecked && found.logSize > 0)
        #expect(!FileManager.default.fileExists(atPath: "\(copy)-shm"))
        try await store.close()
    }

    @Test("an older and a newer schema are different findings")
    func schemas() async throws {
        try await SQLiteStore(path: scratch.path).close()
        var later = Migrations.standard
        later.steps.append(Migrations.Step(name: "M999_Test") { try $0.execute(sql: "CREATE TABLE later (x)") })
        #expect(outcome(later) == .whole(schema: SQLiteStore.schema, isCurrent: false))
        try StoreOpening(path: scratch.path, busyTimeout: .seconds(1), migrations: later).open().close()
        guard case .refused(let error) = outcome() else {
            Issue.record("\(outcome())")
            return
        }
        #expect(error.kind == .tooNew)
    }

    @Test("overwritten pages, a cut file, another program's database and text are damage")
    func damaged() async throws {
        let store = try SQLiteStore(path: scratch.path)
        for number in 0..<200 { try await store.write([.sample("tea\(number)")], at: Int64(number)) }
        try await store.close()
        let whole = try scratch.read()
        var overwritten = whole
        for index in (whole.count / 2)..<whole.count { overwritten[index] = 0xAA }
        for bytes in [overwritten, Array(whole.prefix(whole.count / 2)), Array("no database at all, only text".utf8)] {
            try scratch.write(bytes)
            guard case .damaged(let reason) = outcome() else {
                Issue.record("\(bytes.count) of \(whole.count): \(outcome())")
                continue
            }
            #expect(!reason.contains("restore"), "the finding has a remedy of its own")
        }
        let other = try DatabaseQueue(path: "\(scratch.directory)/other.sqlite")
        try await other.write { try $0.execute(sql: "CREATE TABLE t (x)") }
        try other.close()
        guard case .damaged(let reason) = StoreExamination(of: "\(scratch.directory)/other.sqlite").outcome else {
            Issue.record("another program's database is taken for a store")
            return
        }
        #expect(reason.contains("is a database, but not a store of tminus"))
    }

    @Test("a row with a value that its column does not allow does not count as damage of the file")
    func value() async throws {
        try await SQLiteStore(path: scratch.path).close()
        try await DatabaseQueue(path: scratch.path).write { db in
            try db.execute(
                sql: """
                    PRAGMA ignore_check_constraints = ON;
                    INSERT INTO ad_hoc (definition, document, author, created) VALUES ('no id!', x'00', 'ada', 0);
                    """)
        }
        #expect(outcome() == .whole(schema: SQLiteStore.schema, isCurrent: true))
    }

    @Test("a named pipe and a directory in its place are refused at once", .timeLimit(.minutes(20)))
    func notRegular() throws {
        try #require(mkfifo(scratch.path, 0o600) == 0)
        guard case .refused(let error) = outcome() else {
            Issue.record("\(outcome())")
            return
        }
        #expect(error.message.contains("is not a file"))
        guard case .refused = StoreExamination(of: "/").outcome else {
            Issue.record("a directory is taken for a store")
            return
        }
    }
}
