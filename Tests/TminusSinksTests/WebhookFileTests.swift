import Foundation
import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

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

    @Test("the first delivery after a crash says what was removed, and no other one does; the log says it once")
    func repairIsReported() async throws {
        try directory.write("out", line + String(line.prefix(100)))
        let logged = Watched<[String]>([])
        let sink = WebhookFileSink(
            path: directory.file("out"), sync: .never,
            log: SinkLog { level, text in logged.update { $0.append("\(level): \(text)") } })
        let report = try await sink.deliver(Deliveries.one(number: 1))
        let note = "removed 100 bytes of a line that a crash had cut off from '\(directory.file("out"))'"
        #expect(report.note?.text == note)
        #expect(try await sink.deliver(Deliveries.one(number: 2)) == .empty)
        #expect(logged.value == ["warning: \(note)"])
        #expect(directory.lines("out").count == 3)
        await sink.shutdown()
    }

    @Test("zeros that a power cut left at the end are removed", arguments: [0, 10, 60])
    func zeros(begun: Int) async throws {
        try directory.write("out", line + String(line.prefix(begun)) + String(repeating: "\0", count: 500))
        #expect(try await sink().attempt() == nil)
        #expect(directory.read("out") == line + line)
    }

    @Test("a file that is full is moved away, and so many are kept")
    func rotation() async throws {
        let size = 2 * line.utf8.count + 10
        let sink = WebhookFileSink(
            path: directory.file("out"), sync: .always, rotation: PayloadRotation(size: size, keep: 2))
        for number in 0..<9 { #expect(try await sink.attempt(Deliveries.one(number: number)) == nil) }
        await sink.shutdown()
        #expect(try directory.names() == ["out", "out.1", "out.2"])
        let all = ["out.2", "out.1", "out"].flatMap(directory.lines)
        #expect(all == (4..<9).map { CloudEvent.json(Deliveries.one(number: $0)) })
    }

    @Test("lines that come together are spread over the files as if they came alone")
    func rotationOfMany() async throws {
        let size = 3 * line.utf8.count + 10
        let sink = WebhookFileSink(
            path: directory.file("out"), sync: .never, rotation: PayloadRotation(size: size, keep: 900))
        try await withThrowingTaskGroup(of: DeliveryError?.self) { group in
            for number in 0..<200 { group.addTask { try await sink.attempt(Deliveries.one(number: number)) } }
            for try await error in group { #expect(error == nil) }
        }
        await sink.shutdown()
        let names = try directory.names()
        #expect(names.count == 67)
        let counts = names.map { directory.lines($0).count }
        #expect(counts.reduce(0, +) == 200 && counts.allSatisfy { $0 <= 3 })
    }

    @Test("a file that is old is moved away, also after a restart")
    func rotationByAge() async throws {
        // The sample was fired on 2026-11-30 at 08:00.
        let fired = Timestamp(seconds: 1_796_025_600)
        let clock = Watched(fired)
        func sink() -> WebhookFileSink {
            WebhookFileSink(
                path: directory.file("out"), sync: .never, rotation: PayloadRotation(age: .seconds(86_400)),
                now: { clock.value })
        }
        let first = sink()
        for number in 0..<2 { #expect(try await first.attempt(Deliveries.one(number: number)) == nil) }
        clock.update { $0 = fired.advanced(by: .seconds(86_401)) }
        #expect(try await first.attempt(Deliveries.one(number: 2)) == nil)
        await first.shutdown()
        #expect(try directory.names() == ["out", "out.1"])
        clock.update { $0 = fired.advanced(by: .seconds(2 * 86_402)) }
        let second = sink()
        #expect(try await second.attempt(Deliveries.one(number: 3)) == nil)
        await second.shutdown()
        #expect(try directory.names() == ["out", "out.1", "out.2"])
    }

    @Test("several writers rotate one file and lose no line")
    func rotatingWriters() async throws {
        let size = 4 * line.utf8.count
        try await withThrowingTaskGroup(of: DeliveryError?.self) { group in
            for writer in 0..<4 {
                let sink = WebhookFileSink(
                    path: directory.file("out"), sync: .never, rotation: PayloadRotation(size: size, keep: 999))
                for number in 0..<50 {
                    group.addTask { try await sink.attempt(Deliveries.one(number: writer * 100 + number)) }
                }
            }
            for try await error in group { #expect(error == nil) }
        }
        let all = try directory.names().flatMap(directory.lines)
        #expect(all.count == 200 && Set(all).count == 200)
    }

    @Test("a file that cannot be moved away goes on, and the report says so")
    func rotationFails() async throws {
        try FileManager.default.createDirectory(atPath: directory.file("out.1"), withIntermediateDirectories: true)
        let sink = WebhookFileSink(
            path: directory.file("out"), sync: .never, rotation: PayloadRotation(size: 10, keep: 1))
        #expect(try await sink.deliver(Deliveries.one()) == .empty)
        let report = try await sink.deliver(Deliveries.one(number: 1))
        #expect(report.note?.text.contains("cannot be rotated: Is a directory") == true, "\(report)")
        #expect(directory.lines("out").count == 2)
        await sink.shutdown()
    }

    @Test(
        "in a directory each delivery has a file of its own, which another attempt replaces",
        arguments: [WebhookFileSink.Sync.always, .never])
    func directoryForm(sync: WebhookFileSink.Sync) async throws {
        let sink = WebhookFileSink(directory: directory.path, sync: sync)
        for number in [0, 1, 0] { #expect(try await sink.attempt(Deliveries.one(number: number)) == nil) }
        await sink.shutdown()
        let deliveries = [Deliveries.one(), Deliveries.one(number: 1)]
        let names = ["20261130T080000Z", "20261130T080001Z"]
        #expect(try directory.names() == zip(names, deliveries).map { "\($0)-\($1.id).json" })
        for (name, delivery) in zip(try directory.names(), deliveries) {
            #expect(directory.read(name) == String(decoding: CloudEvent.json(delivery), as: UTF8.self) + "\n")
        }
    }

    @Test("a directory that is not there can be made; what a crash left beside a file goes with the next attempt")
    func directoryTrouble() async throws {
        let sink = WebhookFileSink(directory: directory.file("spool"), sync: .always)
        #expect(
            try await sink.attempt()
                == .transient("the directory '\(directory.file("spool"))' does not exist; make it"))
        try FileManager.default.createDirectory(atPath: directory.file("spool"), withIntermediateDirectories: true)
        let name = "20261130T080000Z-\(Deliveries.one().id).json"
        try directory.write("spool/.\(name).tmp", String(repeating: "torn", count: 1_000))
        #expect(try await sink.attempt() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("spool")) == [name])
        #expect(directory.read("spool/\(name)") == line)
        await sink.shutdown()
    }

    @Test(
        "what is wrong with the options is said at its place",
        arguments: [
            ("webhook-file: out/", "1:15: 'webhook-file' must be the path of a file"),
            ("webhook-file: { directroy: x }", "1:17: unknown key 'directroy', did you mean 'directory'?"),
            ("webhook-file: { directory: x }\nrotate: 1 MB", "2:9: 'rotate' is for a file"),
            ("webhook-file: out\nrotate: 10", "2:9: 'rotate' must be a size such as"),
            ("webhook-file: out\nkeep: 0", "2:7: 'keep' must be a whole number from 1 to 999"),
        ])
    func problems(yaml: String, problem: String) throws {
        let (_, problems) = try SinkRegistry.sink(yaml)
        #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test(
        "sizes have units",
        arguments: [
            ("1 B", 1), ("1kB", 1_000), ("1.5 MB", 1_500_000), ("2KiB", 2_048), ("10 MiB", 10_485_760), ("0.1 B", nil),
            ("10", nil), ("MB", nil), ("-1 MB", nil), ("1 mb", nil), ("1e3 B", nil), ("9999999 TiB", nil),
            ("1 M B", nil),
        ] as [(String, Int?)])
    func sizes(text: String, count: Int?) {
        #expect(ByteCount.parse(text) == count)
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

    @Test("a path that is not a file is a transient failure with a reason")
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
