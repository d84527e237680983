import Foundation
import Glibc
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

@Suite("Webhook file")
struct WebhookFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func sink(_ name: String = "out", sync: WebhookFileSink.Sync = .never) -> WebhookFileSink {
        WebhookFileSink(path: directory.file(name), sync: sync)
    }

    private var line: String { String(decoding: CloudEvent.json(Deliveries.one()), as: UTF8.self) + "\n" }

    @Test(
        "a new file can be read by its owner only, and holds the webhook's body",
        arguments: [WebhookFileSink.Sync.always, .never])
    func newFile(sync: WebhookFileSink.Sync) async throws {
        #expect(try await sink(sync: sync).attempt() == nil)
        #expect(directory.read("out") == line)
        let mode = try FileManager.default.attributesOfItem(atPath: directory.file("out"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("eight writers in one process leave whole lines only")
    func writers() async throws {
        let text = String(repeating: "long ", count: 2_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                let sink = sink()
                for number in 0..<10 {
                    group.addTask {
                        let delivery = Deliveries.one(number: writer * 100 + number, text: text)
                        let error = try await sink.attempt(delivery)
                        #expect(error == nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        let ids = try directory.lines("out").map { line -> String in
            let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return object?["id"] as? String ?? ""
        }
        #expect(ids.count == 80 && Set(ids).count == 80)
        #expect(directory.read("out")?.last == "\n")
    }

    @Test("a payload that was cut off by a crash is removed")
    func tornTail() async throws {
        for cut in [1, 10, 30, 300] {
            try directory.write("out", line + String(line.prefix(cut)))
            #expect(try await sink().attempt() == nil)
            #expect(directory.read("out") == line + line)
        }
        try directory.write("out", String(line.dropLast()))
        #expect(try await sink().attempt() == nil)
        #expect(directory.read("out") == line)
    }

    @Test("a last line of somebody else's is kept and ended")
    func foreignTail() async throws {
        try directory.write("out", "a\nnotes without an end")
        #expect(try await sink().attempt() == nil)
        #expect(directory.read("out") == "a\nnotes without an end\n" + line)
    }

    @Test("after the file was moved away a new one is begun")
    func moved() async throws {
        let sink = sink()
        #expect(try await sink.attempt() == nil)
        try FileManager.default.moveItem(atPath: directory.file("out"), toPath: directory.file("out.1"))
        #expect(try await sink.attempt() == nil)
        try FileManager.default.removeItem(atPath: directory.file("out"))
        #expect(try await sink.attempt() == nil)
        #expect(directory.read("out") == line && directory.read("out.1") == line)
        await sink.shutdown()
    }

    @Test("what is no file, or cannot be one, is a failure that may pass and says why")
    func notAFile() async throws {
        try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: true)
        try #require(mkfifo(directory.file("fifo"), 0o600) == 0)
        try directory.write("plain", "")
        for (name, part) in [
            ("folder", "not a regular file"), ("fifo", "not a regular file"),
            ("missing/out", "the directory '\(directory.file("missing"))' does not exist"),
            ("plain/out", "does not exist"),
        ] {
            let error = try #require(try await sink(name).attempt())
            #expect(error.isTransient && error.reason.contains(part), "\(error.reason)")
        }
    }

    @Test("a delivery that waits for the lock is given up when it is cancelled, and not written afterwards")
    func locked() async throws {
        let sink = sink()
        do {
            let lock = try HeldLock(path: directory.file("out"))
            let running = Task { try await sink.attempt() }
            running.cancel()
            #expect(try await running.value?.isTransient == true)
            #expect(lock.isHeld)
        }
        #expect(try await sink.attempt(Deliveries.one(number: 1)) == nil)
        #expect(directory.lines("out") == [CloudEvent.json(Deliveries.one(number: 1))])
    }

    @Test(
        "on a full disk nothing of a line stays", .enabled("this process may mount no tmpfs") { SmallDisk.isPossible })
    func fullDisk() async throws {
        let disk = try SmallDisk(at: directory.file("disk"))
        let sink = sink("disk/out")
        var count = 0
        var error: DeliveryError?
        while error == nil, count < 200 {
            error = try await sink.attempt(Deliveries.one(number: count))
            if error == nil { count += 1 }
        }
        #expect(error?.isTransient == true)
        #expect(error?.reason.contains("No space left") == true, "\(String(describing: error))")
        #expect(directory.lines("disk/out").count == count && directory.read("disk/out")?.last == "\n")
        await sink.shutdown()
        withExtendedLifetime(disk) {}
    }
}

/// A file system of 64 KiB in memory, unmounted with the last reference to it.
private final class SmallDisk {
    private let point: String

    init(at point: String) throws {
        self.point = point
        try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        try #require(mount("tmpfs", point, "tmpfs", 0, "size=64k") == 0)
    }

    deinit { umount2(point, CInt(MNT_DETACH)) }

    /// Root, and a container that allows mounts.
    static var isPossible: Bool {
        guard geteuid() == 0, let directory = try? TemporaryDirectory() else { return false }
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount2(directory.path, CInt(MNT_DETACH))
        return true
    }
}
