import Foundation
import TestServer
import Testing
import TminusCore
import TminusDefinitions
import TminusSinks
import TminusTestKit

/// The examples for known services: each is a definition file without a problem, and what it posts is what the service takes.
@Suite("Webhook presets")
struct PresetTests {
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples/webhooks")
    private static let odd = "Say \"hi\" \\ to\n<all> & {{name}} @everyone 🎉"

    static let names = ["discord", "gotify", "ntfy", "slack", "teams", "telegram"]

    @Test("each example has its test")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.examples.path)
        #expect(files.filter { $0.hasSuffix(".yaml") }.sorted() == Self.names.map { "\($0).yaml" })
    }

    /// What the example posts for a reminder and for an expiry.
    private func posts(_ name: String) async throws -> [TestServer.Received] {
        let server = try await TestServer.started()
        let directory = try TemporaryDirectory()
        try directory.write("\(name)-url", server.url("/status/204"))
        try directory.write("\(name)-token", "canary-token")
        let file = try String(contentsOf: Self.examples.appendingPathComponent("\(name).yaml"), encoding: .utf8)
            .replacing("https://\(name).example.com/", with: server.url("/status/204?"))
            // A limit that only keeps a test from hanging.
            .replacing("    timeout: 30s\n", with: "")
            .replacing("    webhook:", with: "    timeout: 600s\n    webhook:")
        var loader = DefinitionLoader(
            zones: AnyZone(), sinks: SinkRegistry(StandardSinks.kinds), displayRoot: "")
        let contents = DirectoryContents(
            root: directory.path, files: [SourceFile(path: "\(name).yaml", content: .bytes(Array(file.utf8)))])
        let result = loader.load(contents, now: Timestamp(seconds: 1_790_000_000))
        #expect(result.diagnostics.map(\.message) == [])
        let spec = try #require(result.set.sinks[SinkKey(name)])
        let made = SinkRegistry(StandardSinks.kinds).make(
            spec, root: directory.path, reporting: DiagnosticBag(file: name))
        let sink = try #require(made).sink
        var expiry = Deliveries.one(text: Self.odd)
        expiry.action = .expiry
        expiry.payload.before = nil
        expiry.payload.description = nil
        for delivery in [Deliveries.one(text: Self.odd), expiry] {
            let problem = try await sink.attempt(delivery)
            #expect(problem == nil)
        }
        await sink.shutdown()
        let received = try server.received()
        #expect(received.count == 2 && received.allSatisfy { $0.method == "POST" })
        return received
    }

    private func json(_ request: TestServer.Received) throws -> [String: Any] {
        #expect(request.headers["content-type"] == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
    }

    @Test("Slack gets a text and blocks")
    func slack() async throws {
        for request in try await posts("slack") {
            let message = try json(request)
            #expect(message["text"] as? String == Self.odd + " in 1 day")
            let blocks = try #require(message["blocks"] as? [[String: Any]])
            #expect(blocks.map { $0["type"] as? String } == ["header", "section"])
            #expect((blocks[0]["text"] as? [String: String])?["text"] == Self.odd)
        }
    }

    @Test("Discord gets a content without mentions and an embed")
    func discord() async throws {
        for request in try await posts("discord") {
            let message = try json(request)
            #expect(message["content"] as? String == Self.odd + " in 1 day")
            #expect((message["allowed_mentions"] as? [String: [String]])?["parse"] == [])
            let embeds = try #require(message["embeds"] as? [[String: String]])
            #expect(embeds.first?["title"] == Self.odd && embeds.first?["timestamp"] == "2026-12-01T08:00:00.000Z")
        }
    }

    @Test("Teams gets an adaptive card")
    func teams() async throws {
        for request in try await posts("teams") {
            let attachment = try #require((try json(request)["attachments"] as? [[String: Any]])?.first)
            #expect(attachment["contentType"] as? String == "application/vnd.microsoft.card.adaptive")
            let card = try #require(attachment["content"] as? [String: Any])
            #expect(card["type"] as? String == "AdaptiveCard" && card["version"] as? String == "1.4")
            let blocks = try #require(card["body"] as? [[String: Any]])
            #expect(blocks.map { $0["text"] as? String } == [Self.odd, Self.odd + " in 1 day"])
        }
    }

    @Test("ntfy gets the message as plain text and the title as a header field")
    func ntfy() async throws {
        let requests = try await posts("ntfy")
        for request in requests {
            #expect(request.body == Self.odd + " in 1 day")
            #expect(request.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(request.headers["title"]?.hasPrefix("Say \"hi\" \\ to <all> & {{name}} @everyone") == true)
            #expect(request.headers["tags"] == "alarm_clock")
        }
        #expect(requests.map { $0.headers["priority"] } == ["default", "high"])
    }

    @Test("Telegram gets a chat and a text")
    func telegram() async throws {
        for request in try await posts("telegram") {
            let message = try json(request)
            #expect(
                message["chat_id"] as? String == "123456789" && message["text"] as? String == Self.odd + " in 1 day")
            #expect(message["disable_notification"] as? Bool == false)
        }
    }

    @Test("Gotify gets a title, a message, a priority and its token")
    func gotify() async throws {
        let requests = try await posts("gotify")
        for request in requests {
            let message = try json(request)
            #expect(message["title"] as? String == Self.odd && message["message"] as? String == Self.odd + " in 1 day")
            #expect(request.headers["x-gotify-key"] == "canary-token")
        }
        #expect(try requests.map { try json($0)["priority"] as? Int } == [4, 8])
    }
}

/// Every zone is UTC.
private struct AnyZone: ZoneDatabase {
    func zone(named name: String) -> Zone? { .utc }
    var systemZone: Zone { .utc }
    var names: [String] { [] }
    var version: String? { nil }
    var revision: Int { 0 }
}
