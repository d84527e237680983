import Foundation
import Glibc
import Testing
import TminusTestKit
import TminusTooling

@testable import TminusDaemon

@Suite("Definition files of a machine that stands by")
struct FollowerFilesTests {
    @Test("it tells the digest of each file, and of none while one of them cannot be read")
    func unreadable() async throws {
        let root = NSTemporaryDirectory() + "tm-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        func save(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
        }
        try save("a.yaml", "timers: {}\n")
        var definitions = try ConfigDirectory(root)
        definitions.maxFileSize = 100
        let told = Watched<[[String: String]?]>([])
        let files = FollowerFiles(definitions: definitions, logger: LogRecord().logger)
        let task = Task { await files.run { _, digests in told.update { $0.append(digests) } } }
        defer { task.cancel() }
        func wait(_ isWanted: @escaping @Sendable ([String: String]?) -> Bool) async {
            #expect(await told.wait(upTo: Bounded.limit) { $0.last.map(isWanted) ?? false }, "\(told.value)")
        }
        await wait { $0?.keys.sorted() == ["a.yaml"] }
        try save("b.yaml", "# " + String(repeating: "x", count: 200))
        await wait { $0 == nil }
        try save("b.yaml", "timers: {}\n")
        await wait { $0?.keys.sorted() == ["a.yaml", "b.yaml"] && $0?["a.yaml"] == $0?["b.yaml"] }
    }
}
