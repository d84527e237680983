import Foundation
import Testing
import TminusControl
import TminusTestKit

@testable import TminusDaemon

/// What a path in a request must never reach: files beside and outside of the listed ones.
@Suite("Paths of definition files over HTTP")
struct FilePathTests {
    private let harness: ControlHarness
    private let secret = "# secret\ntimers: { s: { duration: 1m } }\n"

    init() throws {
        harness = try ControlHarness()
        let files = FileManager.default
        try harness.save("a.yaml", "timers: { tea: { duration: 3m } }\n")
        try harness.save("sub/b.yaml", "timers: { egg: { duration: 3m } }\n")
        try harness.save("../secret.yaml", secret)
        try harness.save("../outside/x.yaml", secret.replacing(" s:", with: " x:"))
        try harness.save(".hidden.yaml", secret)
        try harness.save("empty/notes.txt", secret)
        try files.createSymbolicLink(atPath: harness.file("link.yaml"), withDestinationPath: "../secret.yaml")
        try files.createSymbolicLink(atPath: harness.file("linked"), withDestinationPath: "../outside")
    }

    private static let tricks = [
        "../secret.yaml", "..%2Fsecret.yaml", "%2e%2e/secret.yaml", "%252e%252e%252fsecret.yaml",
        "sub/../../secret.yaml", "sub/../a.yaml", "./a.yaml", "%2e/a.yaml", "/a.yaml", "a.yaml/", "a.yaml/.",
        "a.yaml%00", "a.yaml%00.json",
        "secret.yaml%00", "/etc/passwd", "%2Fetc%2Fpasswd", ".hidden.yaml", "%2ehidden.yaml", "a.yaml%20",
        "link.yaml", "linked/x.yaml", "linked/../secret.yaml", "a.yaml%5c..", "..%5csecret.yaml", "%ff.yaml", "", "%",
        "a.yaml?", "empty/notes.txt", "~/a.yaml", "sub", "sub/", ".", "..",
    ]

    @Test("a path that is not in the list is not read", arguments: tricks + ["A.YAML", "file:a.yaml"])
    func reading(path: String) async throws {
        try await harness.run { (_: ControlClient) async throws in
            let answer = try await harness.send("GET", "/file?path=\(path)")
            #expect([400, 404].contains(answer.status), "\(answer)")
            #expect(!answer.body.contains("duration") && answer.headers["etag"] == nil, "\(answer)")
        }
    }

    @Test(
        "a path that is not in the list is not written, and neither is one outside or of another kind",
        arguments: tricks + [
            "new.txt", "new", "new.yaml~", "%23new.yaml", ".new.yaml", "new.schema.json", "empty/new.yaml",
            "none/new.yaml", "/new.yaml", "linked/new.yaml", "sub/../new.yaml", "../new.yaml", "new%0a.yaml",
            "new%00.yaml", "%e2%80%aenew.yaml",
            "new%5c.yaml", String(repeating: "n", count: 252) + ".yaml", "/tmp/new.yaml", "sub//new.yaml", "//new.yaml",
        ])
    func writing(path: String) async throws {
        let before = try everything()
        try await harness.run { (_: ControlClient) async throws in
            let new = "timers: { new: { duration: 1m } }\n"
            for headers in [["if-none-match": "*"], ["if-match": "\"abc\""]] {
                let answer = try await harness.send("PUT", "/file?path=\(path)", headers, body: new)
                #expect([400, 404].contains(answer.status), "\(answer)")
            }
            let tried = try await harness.send("PUT", "/file?path=\(path)&dry-run=true", body: new)
            #expect([400, 404].contains(tried.status), "\(tried)")
        }
        #expect(try everything() == before)
    }

    @Test("a file below a directory that was not read is answered with 503 and the reason, not with 404")
    func gap() async throws {
        let path = (1...9).map { "\($0)/" }.joined() + "deep.yaml"
        try harness.save(path, "timers: { deep: { duration: 1m } }\n")
        try await harness.run { (_: ControlClient) async throws in
            let read = try await harness.send("GET", "/file?path=\(path)")
            let written = try await harness.send(
                "PUT", "/file?path=\(path)", ["if-match": "\"abc\""], body: "timers: {}\n")
            for answer in [read, written] {
                #expect(answer.status == 503, "\(answer)")
                #expect(answer.body.contains("more than 8 directories deep"), "\(answer)")
            }
        }
    }

    @Test("a refusal says that a directory was not read, because the text may name what is in it")
    func gapBehindErrors() async throws {
        let deep = (1...9).map { "\($0)/" }.joined()
        try harness.save("\(deep)sinks.yaml", "sinks: { hall: { shell: 'true' } }\n")
        try await harness.run { (_: ControlClient) async throws in
            let written = try await harness.send(
                "PUT", "/file?path=new.yaml", ["if-none-match": "*"],
                body: "timers: { dusk: { duration: 1m, on-expiry: [hall] } }\n")
            let added = try await harness.send(
                "POST", "/definitions",
                body: #"{"kind": "timer", "id": "dusk", "definition": {"duration": "1m", "on-expiry": ["hall"]}}"#)
            for answer in [written, added] {
                #expect(answer.status == 422, "\(answer)")
                #expect(answer.body.contains("unknown sink 'hall'"), "\(answer)")
                #expect(answer.body.contains("more than 8 directories deep"), "\(answer)")
            }
            let sound = try await harness.send(
                "PUT", "/file?path=new.yaml", ["if-none-match": "*"], body: "timers: { dusk: { duration: 1m } }\n")
            #expect(sound.status == 201, "\(sound)")
            #expect(!sound.body.contains("directories deep"), "\(sound)")
        }
    }

    @Test("a definition is neither added to a file behind a link nor beside one")
    func adding() async throws {
        let before = try everything()
        try await harness.run { (_: ControlClient) async throws in
            for file in [
                "link.yaml", "linked/x.yaml", "linked/new.yaml", "../secret.yaml", ".hidden.yaml", "sub/../a.yaml",
            ] {
                let answer = try await harness.send(
                    "POST", "/definitions",
                    body: #"{"kind": "timer", "id": "new", "file": "\#(file)", "definition": {"duration": "1m"}}"#)
                #expect(answer.status == 400, "\(file): \(answer)")
            }
        }
        #expect(try everything() == before)
    }

    /// All files around, with their texts, but the socket.
    private func everything() throws -> [String: String] {
        let files = FileManager.default
        var found: [String: String] = [:]
        for case let name as String in files.enumerator(atPath: harness.directory) ?? .init()
        where !name.hasSuffix(".sock") {
            found[name] = files.contents(atPath: "\(harness.directory)/\(name)").map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        return found
    }
}
