import CPlatform
import Foundation
import Glibc
import Testing
import TminusTestKit

@testable import TminusSystem

@Suite("Replacing files")
struct FileReplacementTests {
    /// A directory that goes with its value.
    private final class Place {
        let path = NSTemporaryDirectory() + "tminus-replace-" + UUID().uuidString
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, to name: String = "a.yaml") throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }

        func text(_ name: String = "a.yaml") -> String {
            FileManager.default.contents(atPath: "\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    private func read(_ path: String) throws -> FileReplacement {
        try FileReplacement(reading: path, shownAs: "a.yaml", limit: 1 << 20)
    }

    @Test("the file has the new content, its mode and its attributes, and nothing is left beside it")
    func replacing() throws {
        let place = try Place()
        try place.write("old")
        let path = "\(place.path)/a.yaml"
        chmod(path, 0o640)
        let hasAttribute = setxattr(path, "user.note", "mine", 4, 0) == 0
        let file = try read(path)
        #expect(file.bytes == Array("old".utf8))
        try file.replace(with: Array("new".utf8))
        #expect(place.text() == "new")
        #expect(place.names == ["a.yaml"])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o640)
        if hasAttribute {
            var value = [CChar](repeating: 0, count: 8)
            #expect(getxattr(path, "user.note", &value, 8) == 4)
        }
    }

    @Test("a file is read up to any limit, also the largest", arguments: [3, Int.max - 1, .max])
    func limits(limit: Int) throws {
        let place = try Place()
        try place.write("old")
        #expect(try FileBytes.content(of: "\(place.path)/a.yaml", limit: limit) == Array("old".utf8))
        #expect(throws: FileBytes.Problem.self) { try FileBytes.content(of: "\(place.path)/a.yaml", limit: 2) }
    }

    @Test("a symbolic link stays, and what it leads to is replaced")
    func links() throws {
        let place = try Place()
        try place.write("old", to: "real.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.path)/a.yaml", withDestinationPath: "real.yaml")
        try read("\(place.path)/a.yaml").replace(with: Array("new".utf8))
        #expect(place.text("real.yaml") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(place.path)/a.yaml") == "real.yaml")
        #expect(place.names == ["a.yaml", "real.yaml"])
    }

    @Test(
        "what another program wrote meanwhile stays, however it was written",
        arguments: ["in place", "same length and time", "renamed", "gone"])
    func changes(way: String) throws {
        let place = try Place()
        try place.write("old")
        let path = "\(place.path)/a.yaml"
        let file = try read(path)
        switch way {
        case "in place": try place.write("other")
        case "same length and time":
            var times = [timespec(), timespec()]
            var status = stat()
            stat(path, &status)
            times = [status.st_atim, status.st_mtim]
            try place.write("OLD")
            utimensat(AT_FDCWD, path, times, 0)
        case "renamed":
            try place.write("old", to: "b")
            rename("\(place.path)/b", path)
        default: unlink(path)
        }
        let kept = place.text()
        #expect {
            try file.replace(with: Array("new".utf8))
        } throws: { error in
            // A file that is gone cannot be written either.
            let error = error as? SystemError
            return error?.kind == .changed || way == "gone" && error?.kind == .io
        }
        #expect(place.text() == kept)
        #expect(place.names == (way == "gone" ? [] : ["a.yaml"]))
    }

    @Test("a file that a program has open for writing is left to it")
    func openFile() throws {
        let place = try Place()
        try place.write("old")
        let path = "\(place.path)/a.yaml"
        let file = try read(path)
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect { try file.replace(with: Array("new".utf8)) } throws: { ($0 as? SystemError)?.kind == .changed }
        #expect(place.text() == "old")
        #expect(place.names == ["a.yaml"])
    }

    @Test("a file that somebody closes in time is replaced, unless it was written before", arguments: [false, true])
    func openForAMoment(isWritten: Bool) throws {
        let place = try Place()
        try place.write("old")
        let path = "\(place.path)/a.yaml"
        var file = try read(path)
        file.patience = .seconds(60)
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        let thread = Thread {
            // The new content is there as soon as the two have changed places. Whom it never comes for has failed already.
            let end = ContinuousClock.now + Bounded.limit
            while FileManager.default.contents(atPath: path) != Data("new".utf8), ContinuousClock.now < end {
                // Nobody tells of the exchange: look again.
                usleep(200)
            }
            if isWritten { write(descriptor, "mine", 4) }
            close(descriptor)
        }
        thread.start()
        if isWritten {
            #expect { try file.replace(with: Array("new".utf8)) } throws: { ($0 as? SystemError)?.kind == .changed }
        } else {
            try file.replace(with: Array("new".utf8))
        }
        #expect(place.text() == (isWritten ? "mine" : "new"))
        #expect(place.names == ["a.yaml"])
    }

    @Test("a new file does not take the place of another")
    func creating() throws {
        let place = try Place()
        let path = "\(place.path)/a.yaml"
        try FileReplacement.create(path, shownAs: "a.yaml", Array("one".utf8))
        #expect(place.text() == "one")
        #expect { try FileReplacement.create(path, shownAs: "a.yaml", Array("two".utf8)) } throws: {
            ($0 as? SystemError)?.kind == .changed
        }
        #expect(place.text() == "one")
        #expect(place.names == ["a.yaml"])
    }

    @Test(
        "a definition file that root makes is readable for those who may read its directory, but not where all can write",
        .enabled(if: geteuid() == 0),
        arguments: [(0o750, 0o640), (0o755, 0o644), (0o700, 0o600), (0o710, 0o600), (0o1777, 0o600)]
            as [(mode_t, mode_t)])
    func readers(ofDirectory: mode_t, ofFile: mode_t) throws {
        let place = try Place()
        try #require(chown(place.path, 0, 65_534) == 0 && chmod(place.path, ofDirectory) == 0)
        let path = "\(place.path)/a.yaml"
        // As under the umask 077.
        try FileReplacement.create(path, shownAs: "a.yaml", [], mode: 0o600, isDefinition: true)
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == ofFile && status.st_gid == (ofDirectory == 0o1777 ? 0 : 65_534))
        try FileReplacement.create("\(place.path)/token", shownAs: "token", [], mode: 0o600)
        try #require(stat("\(place.path)/token", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600 && status.st_gid == 0)
    }

    @Test("what a killed writer has left goes with the next write; what a living one or anybody else wrote stays")
    func leftovers() throws {
        let place = try Place()
        try place.write("old")
        let names = { (names: [String]) in names.map { ".a.yaml\($0)" } }
        let others = names([
            "", ".tmp", ".tminus-.tmp", ".tminus-x.tmp", ".tminus-12", ".tminus-99999999999.tmp", ".12-34.tmp",
            "tminus-1.tmp",
        ])
        for name in others + names([".tminus-1.tmp", ".tminus-4294967295.tmp", ".tminus-2.tmp"]) {
            try place.write("half", to: name)
        }
        try place.write("plain", to: "a.yaml.tminus-3.tmp")
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.path)/.a.yaml.tminus-4.tmp", withDestinationPath: "a.yaml")
        try FileManager.default.createDirectory(
            atPath: "\(place.path)/.a.yaml.tminus-5.tmp", withIntermediateDirectories: false)
        let living = open("\(place.path)/.a.yaml.tminus-2.tmp", O_WRONLY | O_CLOEXEC)
        defer { close(living) }
        #expect(flock(living, LOCK_EX | LOCK_NB) == 0)
        let stay =
            others + names([".tminus-2.tmp", ".tminus-4.tmp", ".tminus-5.tmp"]) + ["a.yaml", "a.yaml.tminus-3.tmp"]

        try read("\(place.path)/a.yaml").replace(with: Array("new".utf8))
        #expect(place.names == stay.sorted())
        try place.write("half", to: ".b.yaml.tminus-1.tmp")
        try FileReplacement.create("\(place.path)/b.yaml", shownAs: "b.yaml", [])
        #expect(place.names == (stay + ["b.yaml"]).sorted())
        #expect(place.text() == "new" && place.text("a.yaml.tminus-3.tmp") == "plain")
    }

    @Test("a writer's own file is locked as long as it lives, so that no other writer takes it for a leftover")
    func locked() throws {
        let place = try Place()
        do {
            let one = try TemporaryFile(beside: "\(place.path)/a.yaml", shownAs: "a.yaml", [1], mode: 0o600)
            let two = try TemporaryFile(beside: "\(place.path)/b.yaml", shownAs: "b.yaml", [2], mode: 0o600)
            #expect(place.names.count == 2 && one.identity != two.identity)
        }
        // As if both had been killed: the locks are gone, the files are not.
        #expect(place.names.count == 2)
        try FileReplacement.create("\(place.path)/c.yaml", shownAs: "c.yaml", [])
        #expect(place.names == ["c.yaml"])
    }

    @Test("what is no file, too large or not there is refused in words")
    func refusals() throws {
        let place = try Place()
        try place.write(String(repeating: "x", count: 100))
        #expect { try FileReplacement(reading: "\(place.path)/a.yaml", shownAs: "a.yaml", limit: 99) } throws: {
            "\($0)" == "a.yaml: is larger than 99 bytes"
        }
        #expect { try read(place.path) } throws: { "\($0)" == "a.yaml: is not a regular file" }
        #expect { try read("\(place.path)/none") } throws: { "\($0)" == "a.yaml: No such file or directory" }
    }

    @Test("two that append to one file lose no line", .timeLimit(.minutes(20)))
    func appending() async throws {
        let place = try Place()
        try place.write("")
        let path = "\(place.path)/a.yaml"
        let limit = 150
        await withTaskGroup(of: Void.self) { group in
            for name in ["a", "b"] {
                group.addTask {
                    await onThread {
                        var count = 0
                        while count < limit {
                            guard let file = try? FileReplacement(reading: path, shownAs: path, limit: 1 << 20) else {
                                continue
                            }
                            if (try? file.replace(with: file.bytes + Array("\(name)\(count)\n".utf8))) != nil {
                                count += 1
                            }
                        }
                    }
                }
            }
        }
        let lines = place.text().split(separator: "\n").map(String.init)
        #expect(lines.sorted() == ["a", "b"].flatMap { name in (0..<limit).map { "\(name)\($0)" } }.sorted())
        #expect(place.names == ["a.yaml"])
    }

    @Test("what a program renames into place is never lost to one that read before", .timeLimit(.minutes(20)))
    func renaming() async throws {
        let place = try Place()
        try place.write("0")
        let path = "\(place.path)/a.yaml"
        let isOver = Watched(false)
        let directory = place.path
        let lost = Watched<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await onThread {
                    while !isOver.value {
                        guard let file = try? FileReplacement(reading: path, shownAs: path, limit: 100) else {
                            continue
                        }
                        let number = file.bytes.prefix { $0 != 0x20 }
                        try? file.replace(with: number + Array(" ours".utf8))
                    }
                }
            }
            group.addTask {
                await onThread {
                    for number in 1...400 {
                        let beside = "\(directory)/.other"
                        guard (try? Data("\(number)".utf8).write(to: URL(fileURLWithPath: beside))) != nil,
                            rename(beside, path) == 0
                        else { return lost.update { $0.append(-number) } }
                        // For a moment it may be exchanged, and comes back.
                        var isThere = false
                        for _ in 0..<2_000 where !isThere {
                            let text = FileManager.default.contents(atPath: path).map {
                                String(decoding: $0, as: UTF8.self)
                            }
                            isThere = text == "\(number)" || text == "\(number) ours"
                            // Nobody tells of the exchange: look again.
                            if !isThere { usleep(1_000) }
                        }
                        if !isThere { lost.update { $0.append(number) } }
                    }
                    isOver.update { $0 = true }
                }
            }
        }
        #expect(lost.value == [])
    }
}

/// Runs what blocks on a thread of its own.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
