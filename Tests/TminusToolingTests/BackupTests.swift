import Foundation
import Glibc
import Testing
import TminusCore
import TminusSQLite
import TminusStorage
import TminusSystem

@testable import TminusTooling

@Suite("Backup")
struct BackupTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test("a backup that is restored gives the same store and the same files, with modes and links")
    func roundTrip() async throws {
        let fixture = try BackupFixture(["tea.yaml": "timers: {}\n", "hook.sh": "#!/bin/sh\n"])
        chmod("\(fixture.config)/hook.sh", 0o755)
        // As the service's group reads it.
        chmod(fixture.config, 0o750)
        try FileManager.default.createDirectory(atPath: "\(fixture.config)/sub", withIntermediateDirectories: true)
        try fixture.root.write("config/sub/lunch.yaml", "timers: {}\n")
        try fixture.root.link("config/sub/tea.yaml", to: "../tea.yaml")
        try await fixture.makeStore(with: "first.yaml")
        let result = try await fixture.backup()
        #expect(result.files == 3 && result.notes.isEmpty)
        #expect(mode(fixture.archive) == 0o600)

        try fixture.root.write("config/tea.yaml", "events: {}\n")
        try fixture.root.write("config/new.yaml", "events: {}\n")
        try await fixture.makeStore(with: "second.yaml")
        let restored = try await fixture.restore()
        #expect(restored.origin?.hasSuffix("(tminus 1.2.3)") == true)
        #expect(try await fixture.keptFiles() == "first.yaml")
        #expect(mode(fixture.store) == 0o600)
        #expect(fixture.root.read("config/tea.yaml") == "timers: {}\n")
        #expect(fixture.root.read("config/new.yaml") == nil)
        #expect(mode("\(fixture.config)/hook.sh") == 0o755)
        #expect(mode(fixture.config) == 0o750)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(fixture.config)/sub/tea.yaml") == "../tea.yaml"
        )
        // The former ones are whole.
        #expect(restored.aside.count == 2)
        #expect(try SQLiteStore.check(copy: restored.aside[0]) == SQLiteStore.schema)
        #expect(FileManager.default.fileExists(atPath: "\(restored.aside[1])/new.yaml"))
    }

    @Test("nothing but a regular file is replaced, with --force neither")
    func special() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        #expect(mkfifo(fixture.archive, 0o600) == 0)
        for replaces in [false, true] {
            let error = await #expect(throws: ToolError.self) { try await fixture.backup(replaces: replaces) }
            #expect(
                error?.message.hasSuffix("is no file, and a backup replaces nothing else; give another name") == true)
        }
    }

    @Test("a restore is refused where the state is inside the config directory, which it would move away")
    func stateInConfig() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        _ = try await fixture.backup()
        let before = try fixture.listing()
        let error = await #expect(throws: ToolError.self) { try await fixture.restore(config: fixture.root.path) }
        #expect(error?.kind == .usage && error?.message.contains("has the state inside") == true)
        #expect(try fixture.listing() == before)
    }

    @Test(
        "a log that a killed daemon left beside the present store goes aside with it, and does not get at the restored one"
    )
    func logGoesAside() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore(with: "first.yaml")
        _ = try await fixture.backup()
        for suffix in ["-wal", "-shm"] { try fixture.root.write("state/tminus.sqlite\(suffix)", "left") }
        let restored = try await fixture.restore()
        for suffix in ["-wal", "-shm"] {
            #expect(mode(fixture.store + suffix) == nil)
            #expect(mode(restored.aside[0] + suffix) != nil)
        }
        #expect(try await fixture.keptFiles() == "first.yaml")
    }

    @Test("an archive that is there stays, unless it is to be replaced; nothing else is left behind")
    func overwriting() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        try fixture.root.write("backup.tar", "mine")
        let error = await #expect(throws: ToolError.self) { try await fixture.backup() }
        #expect(error?.message == "\(fixture.archive): is there already; give another name, or --force to replace it")
        #expect(fixture.root.read("backup.tar") == "mine")
        _ = try await fixture.backup(replaces: true)
        _ = try BackupArchive(fixture.archive)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.root.path)
        #expect(names.sorted() == ["backup.tar", "config", "state"])
    }

    @Test("without a store there is no backup, and the error says which option is missing")
    func noStore() async throws {
        let fixture = try BackupFixture()
        let error = await #expect(throws: ToolError.self) { try await fixture.backup() }
        #expect(error?.message == "\(fixture.store): there is no store; name the state directory with --state")
    }

    @Test("links out of the directory are taken as what they lead to; pipes and dangling links are told and left out")
    func oddFiles() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        let outside = try TemporaryDirectory(["real.yaml": "timers: {}\n"])
        try fixture.root.link("config/out.yaml", to: "\(outside.path)/real.yaml")
        try fixture.root.link("config/out", to: outside.path)
        try outside.link("loop", to: outside.path)
        try fixture.root.link("config/gone.yaml", to: "/nowhere/at/all")
        mkfifo("\(fixture.config)/pipe", 0o600)
        let result = try await fixture.backup()
        let notes = result.notes.joined(separator: "\n")
        #expect(notes.contains("out.yaml: is a link out of the directory; what it leads to is taken in its place"))
        #expect(notes.contains("gone.yaml: left out: is a link to '/nowhere/at/all', which is not there"))
        #expect(notes.contains("pipe: left out: is neither a file nor a directory nor a link"))
        #expect(notes.contains("loop: left out: it contains itself"))
        _ = try await fixture.restore()
        #expect(fixture.root.read("config/out.yaml") == "timers: {}\n")
        #expect(fixture.root.read("config/out/real.yaml") == "timers: {}\n")
        #expect(throws: (any Error).self) {
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(fixture.config)/out.yaml")
        }
    }

    @Test("what cannot be read is an error and not left out, because the backup would not be complete")
    func unreadable() async throws {
        let fixture = try BackupFixture()
        try await fixture.makeStore()
        // Root can read everything, but nobody lists this many directories.
        let deep = (0..<70).map { "d\($0)" }.joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "\(fixture.config)/\(deep)", withIntermediateDirectories: true)
        let error = await #expect(throws: ToolError.self) { try await fixture.backup() }
        #expect(error?.kind == .permission)
        #expect(error?.message.contains("no backup was written, because it would not be complete") == true)
        #expect(mode(fixture.archive) == nil)
    }
}

@Suite("Links in a backup")
struct LinkTargetTests {
    @Test(
        "a link stays inside if it is relative and goes up only at its beginning and not too far",
        arguments: [
            ("tea.yaml", "a", true), ("d/tea.yaml", "a", true), ("../tea.yaml", "d/a", true), ("./x", "a", true),
            ("..", "d/a", true), ("", "a", false), ("/etc/passwd", "a", false), ("../x", "a", false),
            ("../../x", "d/a", false), ("d/../../x", "a", false), ("d/..", "a", false), ("..data/x", "a", true),
        ])
    func judged(target: String, path: String, isInside: Bool) {
        #expect(LinkTarget.staysInside(target, of: path) == isInside)
    }
}
