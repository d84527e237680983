import Foundation
import Glibc
import Testing
import TminusCore
import TminusSQLite
import TminusStorage
import TminusSystem

@testable import TminusTooling

@Suite("Restore")
struct RestoreTests {
    /// What somebody may put into an archive, with a part of what is said of it.
    struct Hostile: Sendable, CustomTestStringConvertible {
        var entries: [TarEntry]
        var words: String
        var testDescription: String { words }

        init(_ path: String, _ words: String, _ kind: TarEntry.Kind = .file(size: 0)) {
            entries = [TarEntry(path: path, kind: kind, mode: 0o644, modified: 0)]
            self.words = words
        }

        init(_ entries: [TarEntry], _ words: String) {
            self.entries = entries
            self.words = words
        }
    }

    private static func entry(_ path: String, _ kind: TarEntry.Kind = .file(size: 0)) -> TarEntry {
        TarEntry(path: path, kind: kind, mode: 0o644, modified: 0)
    }

    static let hostile = [
        Hostile("config/../../evil", "a path that is not allowed: 'config/../../evil'"),
        Hostile("/etc/passwd", "a path that is not allowed: '/etc/passwd'"),
        Hostile("config//x", "a path that is not allowed"),
        Hostile("config/./x", "a path that is not allowed"),
        Hostile("elsewhere", "is no backup of tminus: it has 'elsewhere'"),
        Hostile("store/tminus.sqlite-wal", "is no backup of tminus"),
        Hostile("config/none/x", "has 'config/none/x' without its directory"),
        Hostile([entry("config/a"), entry("config/a")], "has 'config/a' twice"),
        Hostile("config/l", "a link out of its directory: 'config/l' to '/etc'", .link(to: "/etc")),
        Hostile("config/l", "a link out of its directory", .link(to: "../state")),
        Hostile([entry("config/l", .link(to: "d")), entry("config/l/x")], "has 'config/l/x' without its directory"),
        Hostile("store/tminus.sqlite", "has 'store/tminus.sqlite' twice", .link(to: "x")),
        Hostile("config/big", "is cut off: 'config/big' has 1125899906842624 bytes", .file(size: 1 << 50)),
        Hostile("config/\u{1B}[31m", "'config/\\u{1b}[31m'", .link(to: "/")),
    ]

    @Test("an archive with a member that no backup has is refused, and nothing is changed", arguments: hostile)
    func refused(hostile: Hostile) async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        _ = try await fixture.backup()
        try insert(hostile.entries, into: fixture.archive)
        let before = try fixture.listing()
        let error = await #expect(throws: ToolError.self) { try await fixture.restore() }
        #expect(error?.kind == .badData)
        let message = try #require(error?.message)
        #expect(message.contains(hostile.words) && message.hasSuffix("; nothing was changed"), "\(message)")
        #expect(try fixture.listing() == before)
    }

    /// Writes members before the last one, which is the manifest.
    private func insert(_ entries: [TarEntry], into path: String) throws {
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let mark = try #require(bytes.range(of: Data("manifest.json\0".utf8)))
        var writer = try TarWriter(creating: "\(path).new")
        for entry in entries { try writer.begin(entry) }
        try writer.finish()
        let inserted = try #require(FileManager.default.contents(atPath: "\(path).new")).dropLast(1_024)
        try FileManager.default.removeItem(atPath: "\(path).new")
        try (bytes[..<mark.lowerBound] + inserted + bytes[mark.lowerBound...]).write(to: URL(fileURLWithPath: path))
    }

    @Test("an archive that is cut off or in which a byte was changed is refused, and nothing is changed")
    func damaged() async throws {
        let fixture = try BackupFixture(["tea.yaml": "timers: {}\n"])
        try await fixture.makeStore()
        _ = try await fixture.backup()
        let whole = try #require(FileManager.default.contents(atPath: fixture.archive))
        let before = try fixture.listing()
        let text = try #require(whole.range(of: Data("timers: {}\n".utf8)))
        var changed = whole
        changed[text.lowerBound] = UInt8(ascii: "T")
        for (bytes, words) in [
            (whole.prefix(whole.count / 2), "is cut off"), (whole.prefix(0), "is cut off"),
            (changed, "is damaged: 'config/tea.yaml' is not what the manifest says (SHA-256)"),
            (Data(repeating: 7, count: 2_000), "is no tar archive"),
            (Data(repeating: 0, count: 2_000), "has no manifest.json"),
        ] {
            try bytes.write(to: URL(fileURLWithPath: fixture.archive))
            let error = await #expect(throws: ToolError.self) { try await fixture.restore() }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(try fixture.listing() == before)
        }
    }

    @Test("a backup of a newer tminus is refused in words that name it", arguments: [("schema", 99), ("format", 2)])
    func newer(key: String, value: Int) async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        _ = try await fixture.backup()
        let bytes = try #require(FileManager.default.contents(atPath: fixture.archive))
        let mark = try #require(bytes.range(of: Data("manifest.json\0".utf8)))
        let manifest = BackupManifest(
            version: "9.0", schema: 99, made: "", config: "", store: "",
            files: try BackupArchive(fixture.archive).manifest.files)
        var text = String(decoding: manifest.encoded, as: UTF8.self)
        if key == "format" { text = text.replacing("\"format\":1", with: "\"format\":\(value)") }
        var writer = try TarWriter(creating: "\(fixture.archive).new")
        try writer.begin(Self.entry("manifest.json", .file(size: text.utf8.count)))
        try writer.write(Array(text.utf8)[...])
        try writer.end()
        try writer.finish()
        let end = try #require(FileManager.default.contents(atPath: "\(fixture.archive).new"))
        try (bytes[..<mark.lowerBound] + end).write(to: URL(fileURLWithPath: fixture.archive))
        let error = await #expect(throws: ToolError.self) { try await fixture.restore() }
        #expect(error?.message.contains("was made by a newer tminus (9.0); restore it with that one") == true)
    }

    @Test("while a daemon holds the state directory, nothing is restored")
    func locked() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        _ = try await fixture.backup()
        let lock = try StateLock(directory: fixture.state, allowInsecurePermissions: false)
        let before = try fixture.listing()
        let error = await #expect(throws: ToolError.self) { try await fixture.restore() }
        #expect(error?.message.hasSuffix("runs on \(fixture.state); stop it, then restore") == true)
        #expect(try fixture.listing() == before)
        lock.release()
    }

    @Test("a copy of a store from before an upgrade takes its place, and the definitions stay")
    func copyOfStore() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore(with: "old.yaml")
        let copy = "\(fixture.store).before-M002"
        try FileManager.default.copyItem(atPath: fixture.store, toPath: copy)
        try await fixture.makeStore(with: "new.yaml")
        let result = try await fixture.restore(.store(copy))
        #expect(try await fixture.keptFiles() == "old.yaml")
        #expect(result.aside.count == 1 && FileManager.default.fileExists(atPath: copy))
        try fixture.root.write("note.txt", "no store")
        await #expect(throws: ToolError.self) { try await fixture.restore(.store("\(fixture.root.path)/note.txt")) }
        #expect(try await fixture.keptFiles() == "old.yaml")
    }

    @Test("a rename that fails takes the ones before it back")
    func takenBack() throws {
        let place = try TemporaryDirectory(["a": "1", "b": "2"])
        let journal = RestoreJournal(moves: [
            RestoreJournal.Move(from: "\(place.path)/a", to: "\(place.path)/c"),
            RestoreJournal.Move(from: "\(place.path)/b", to: "\(place.path)/none/b"),
        ])
        let error = #expect(throws: ToolError.self) { try journal.perform(in: place.path) }
        #expect(error?.message.hasSuffix("; nothing was changed") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["a", "b"])
    }

    @Test("a restore that was killed between two renames is told of, and is finished from where it was")
    func interrupted() throws {
        let place = try TemporaryDirectory(["store": "old", "store.restoring": "new"])
        let (store, aside) = ("\(place.path)/store", "\(place.path)/aside")
        let moves = [(store, aside), ("\(store).restoring", store)]
        let list = moves.map { "{\"from\":\"\($0.0)\",\"to\":\"\($0.1)\"}" }.joined(separator: ",")
        for done in 0...2 {
            try place.write("restore.json", "{\"moves\":[\(list)]}")
            for (from, to) in moves.prefix(done) { rename(from, to) }
            let error = #expect(throws: ToolError.self) { try RestoreJournal.refuseIfPresent(in: place.path) }
            #expect(error?.message.contains("finish it with 'tminus restore --resume --state \(place.path)'") == true)
            try Restore.resume(stateDirectory: place.path, allowsInsecurePermissions: false)
            #expect(place.read("store") == "new" && place.read("aside") == "old", "\(done)")
            try RestoreJournal.refuseIfPresent(in: place.path)
            for (from, to) in moves.reversed() { rename(to, from) }
        }
        #expect(throws: ToolError.self) {
            try Restore.resume(stateDirectory: place.path, allowsInsecurePermissions: false)
        }
    }

    private static let mayMount: Bool = {
        guard let place = try? TemporaryDirectory(), mount("tmpfs", place.path, "tmpfs", 0, "size=64k") == 0 else {
            return false
        }
        umount2(place.path, CInt(MNT_DETACH))
        return true
    }()

    @Test("on a full disk the present state stays as it is", .enabled(if: mayMount, "needs the right to mount"))
    func fullDisk() async throws {
        let fixture = try BackupFixture(["big.txt": String(repeating: "x", count: 1 << 20)])
        try await fixture.makeStore(with: "first.yaml")
        _ = try await fixture.backup()
        let small = "\(fixture.root.path)/small"
        try FileManager.default.createDirectory(atPath: "\(small)", withIntermediateDirectories: true)
        try #require(mount("tmpfs", small, "tmpfs", 0, "size=512k,mode=700") == 0)
        defer { umount2(small, CInt(MNT_DETACH)) }
        try fixture.root.write("small/mine", "stays")
        let error = await #expect(throws: ToolError.self) { try await fixture.restore(config: "\(small)/config") }
        #expect(error?.message.contains("No space left on device") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: small) == ["mine"])
        #expect(try await fixture.keptFiles() == "first.yaml")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.state).sorted() == [
                "tminus.lock", "tminus.sqlite",
            ])
    }
}
