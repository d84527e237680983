import GRDB
import Glibc
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: migrations")
struct SQLiteMigrationTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// The migrations of a later program: those of this one, and some that each add a table.
    private func later(_ count: Int, _ apply: @escaping @Sendable (Database, Int) throws -> Void = { _, _ in })
        -> Migrations
    {
        var migrations = Migrations.standard
        for number in 1...count {
            migrations.steps.append(
                Migrations.Step(name: "\(Self.number(number))_Test") { db in
                    try db.execute(sql: "CREATE TABLE later\(number) (x)")
                    try apply(db, number)
                })
        }
        return migrations
    }

    /// The number of the migration that a later program has in this place: `M003` for the first one after two.
    private static func number(_ place: Int) -> String { "M00\(Migrations.standard.schema + place)" }

    private func open(_ migrations: Migrations, at path: String? = nil) throws {
        let opening = StoreOpening(path: path ?? scratch.path, busyTimeout: .seconds(1), migrations: migrations)
        try opening.open().close()
    }

    /// A store with one firing.
    private func makeStore(at path: String? = nil) async throws {
        let store = try SQLiteStore(path: path ?? scratch.path)
        try await store.write([.sample("tea")])
        try await store.close()
    }

    private func exists(_ name: String) -> Bool { scratch.mode("\(scratch.directory)/\(name)") != nil }

    @Test(
        "an older store is copied before it is migrated; the copy is for its owner only and opens with the older program"
    )
    func copied() async throws {
        try await makeStore()
        try open(later(1))
        let copy = "\(scratch.path).before-\(Self.number(1))"
        #expect(scratch.mode(copy) == 0o600)
        #expect(!exists("tminus.sqlite.before-\(Self.number(1)).new"))
        #expect(try await SQLiteStore(path: copy).claim().count == 1)
        let tables = try DatabaseQueue(path: scratch.path).inDatabase {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'later%'")
        }
        #expect(tables == ["later1"])
    }

    @Test("a new store, and one that needs no migration, are not copied")
    func notCopied() async throws {
        try open(later(1))
        try open(later(1))
        #expect(!exists("tminus.sqlite.before-\(Self.number(1))"))
    }

    @Test("two copies are kept")
    func two() async throws {
        try await makeStore()
        for count in 1...3 { try open(later(count)) }
        #expect(!exists("tminus.sqlite.before-\(Self.number(1))"))
        #expect(exists("tminus.sqlite.before-\(Self.number(2))") && exists("tminus.sqlite.before-\(Self.number(3))"))
    }

    @Test("a newer store is refused; the refusal names the newest copy that this program can open")
    func newer() async throws {
        try await makeStore()
        try open(later(1))
        try open(later(2))
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }
        #expect(error?.kind == .tooNew)
        #expect(
            error?.message == """
                \(scratch.path): was written by a newer tminus; run that one; to go back, restore the copy from before \
                the upgrade with 'tminus restore --store \(scratch.path).before-\(Self.number(1))'
                """)
    }

    @Test("the refusal of a newer store names no file whose number no migration has")
    func newerBesideOther() async throws {
        try await makeStore()
        try open(later(1))
        unlink("\(scratch.path).before-\(Self.number(1))")
        // Its predecessor would overflow.
        try scratch.write([], to: "\(scratch.path).before-M\(Int.min)")
        let error = #expect(throws: StoreError.self) { try SQLiteStore(path: scratch.path) }
        #expect(error?.message.hasSuffix("run that one, or choose another state directory") == true)
    }

    @Test("a migration that fails leaves the old store, and the next start repeats it")
    func failing() async throws {
        struct Failure: Error {}
        try await makeStore()
        #expect(throws: StoreError.self) { try open(later(1) { _, _ in throw Failure() }) }
        #expect(try await SQLiteStore(path: scratch.path).claim().count == 1)
        try open(later(1))
    }

    @Test("what the disk has when the process is killed during the migration opens as the old store")
    func killed() async throws {
        try await makeStore()
        let (path, other) = (scratch.path, try Scratch())
        try open(
            later(1) { [scratch] _, _ in
                for suffix in ["", "-wal"] where scratch.mode(path + suffix) != nil {
                    try other.write(try scratch.read(path + suffix), to: other.path + suffix)
                }
            })
        #expect(try await SQLiteStore(path: other.path).claim().count == 1)
    }

    @Test(
        "without room for the copy the store is not migrated, and the refusal names the bytes",
        .enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a small file system"))
    func noRoom() async throws {
        let disk = try SmallFileSystem(kilobytes: 512)
        let path = disk.scratch.path
        try await makeStore(at: path)
        try disk.scratch.write([UInt8](repeating: 1, count: 256 << 10), to: "\(disk.scratch.directory)/ballast")
        let error = #expect(throws: StoreError.self) { try open(later(1), at: path) }
        #expect(error?.kind == .full)
        let message = try #require(error?.message)
        #expect(
            message.contains(
                /^.*before-M[0-9]+.new: no room for a copy of the store: it needs \d+ bytes, and \d+ are free in/))
        #expect(disk.scratch.mode("\(path).before-\(Self.number(1)).new") == nil)
        #expect(try await SQLiteStore(path: path).claim().count == 1)
    }
}
