import Foundation
import Glibc
import TestServer
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

@Suite("Webhook options")
struct WebhookOptionsTests {
    private let server: TestServer
    private let directory: TemporaryDirectory

    init() async throws {
        server = try await TestServer.started()
        directory = try TemporaryDirectory()
    }

    private func post(_ yaml: String, _ delivery: Delivery = Deliveries.one()) async throws -> TestServer.Received {
        let sink = try SinkRegistry.soundSink(yaml, in: directory.path)
        #expect(try await sink.attempt(delivery) == nil)
        await sink.shutdown()
        return try #require(try server.received().last)
    }

    @Test("a draft shows the message, body and header fields of the request, without any secret")
    func draft() async throws {
        let key = "literal-\(UUID().uuidString)"
        let yaml = """
            webhook: "\(server.url("/hooks/T0KEN?status=200").replacing("://", with: "://me:pass@"))"
            message: "{{name}}, {{before.text}} left"
            body: '{"text": "{{message}}", "token": "\(key)", "via": "/hooks/T0KEN?status=200", "test": "{{test}}"}'
            headers: { X-Title: "{{name}} \(key)", X-Api-Key: "\(key)", X-Room: "7", X-Run: { file: absent } }
            secret: { file: absent-too }
            """
        let draft = try SinkRegistry.soundSink(yaml, in: directory.path).draft(of: Deliveries.one())
        #expect(draft.delivery.payload.message == "Product launch, 1 day left")
        #expect(
            draft.content
                == .text(
                    #"{"text": "Product launch, 1 day left", "token": "(secret)", "via": "(secret)", "test": ""}"#))
        #expect(
            draft.headers == [
                .init("Content-Type", "application/json"), .init("X-Api-Key", "(secret)"), .init("X-Room", "7"),
                .init("X-Run", "(secret)"), .init("X-Title", "Product launch (secret)"),
                .init("Authorization", "(secret)"),
            ])
        let plain = try SinkRegistry.soundSink("webhook: https://h/").draft(of: Deliveries.one())
        #expect(plain.content == .event && plain.delivery == Deliveries.one())
        #expect(plain.headers == [.init("Content-Type", CloudEvent.contentType)])
    }

    @Test("a draft of a body is what the server gets")
    func draftIsSent() async throws {
        let yaml = """
            webhook: "\(server.url("/status/200"))"
            body: '{"text": "{{message}}"}'
            message: "{{name}} & <more>"
            """
        let delivery = Deliveries.one(text: Deliveries.oddText)
        let draft = try SinkRegistry.soundSink(yaml).draft(of: delivery)
        #expect(draft.content == .text(try await post(yaml, delivery).body))
    }

    @Test("a request is signed with each secret, and the signature holds for id, time and body")
    func signature() async throws {
        let key = Data("0123456789abcdef0123456789abcdef".utf8)
        try directory.write("new", "whsec_\(key.base64EncodedString())\n")
        try directory.write("old", "plain words")
        let request = try await post(
            "webhook: \(server.url("/status/200"))\nsecret: [{ file: new }, { file: old }]")
        let id = try #require(request.headers["webhook-id"])
        let time = try #require(request.headers["webhook-timestamp"])
        #expect(id == Deliveries.one().id.rawValue)
        let now = Int64(Glibc.time(nil))
        #expect(try #require(Int64(time)) <= now && Int64(time) ?? 0 > now - 300)
        let signed = Array("\(id).\(time).\(request.body)".utf8)
        let signatures = [Array(key), Array("plain words".utf8)].map {
            "v1," + Data(KeyedDigest(of: signed, key: $0).bytes).base64EncodedString()
        }
        #expect(request.headers["webhook-signature"] == signatures.joined(separator: " "))
    }

    @Test("the signature is that of the specification's own example")
    func specification() throws {
        // From the libraries of Standard Webhooks, which all test with it.
        let secret = Secret(bytes: Array("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8))
        let fields = try WebhookSignature([secret]).headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(fields.last?.1 == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("a secret that cannot be read or used fails the attempt, and may be set right")
    func badSecret() async throws {
        let sink = try SinkRegistry.soundSink(
            "webhook: \(server.url("/status/200"))\nsecret: { file: key }", in: directory.path)
        let missing = try #require(try await sink.attempt())
        #expect(missing.isTransient && missing.reason.contains("cannot be read"))
        try directory.write("key", "whsec_canary!")
        let broken = try #require(try await sink.attempt())
        #expect(broken.isTransient && broken.reason.contains("base64") && !broken.reason.contains("canary"))
        #expect(try server.received().isEmpty)
        try directory.write("key", "good")
        #expect(try await sink.attempt() == nil)
        await sink.shutdown()
    }

    @Test("the address can be a secret, and only its host is ever shown")
    func secretAddress() async throws {
        try directory.write("url", server.url("/status/500?token=canary") + "\n")
        let sink = try SinkRegistry.soundSink("webhook: { file: url }", in: directory.path)
        let error = try #require(try await sink.attempt())
        #expect(error.reason == "http://127.0.0.1:\(server.port): HTTP 500")
        #expect(try server.received().last?.path == "/status/500?token=canary")
        try directory.write("url", "ftp://canary")
        let other = try #require(try await sink.attempt())
        #expect(other.isTransient && !other.reason.contains("canary"))
        await sink.shutdown()
    }

    @Test("a body is a template, escaped for JSON unless its type says otherwise")
    func body() async throws {
        let odd = Deliveries.one(text: Deliveries.oddText)
        let json = try await post(
            "webhook: \(server.url("/status/200"))\nbody: '{\"text\": \"{{name}}\", \"late\": {{late}}}'", odd)
        let object = try JSONSerialization.jsonObject(with: Data(json.body.utf8)) as? [String: Any]
        #expect(object?["text"] as? String == Deliveries.oddText)
        #expect(json.headers["content-type"] == "application/json")
        let form = try await post(
            """
            webhook: \(server.url("/status/200"))
            headers: { content-type: application/x-www-form-urlencoded }
            body: text={{name}}&id={{id}}
            """, Deliveries.one(text: "a&b=c d"))
        #expect(form.body == "text=a%26b%3Dc+d&id=launch")
        #expect(form.headers["content-type"] == "application/x-www-form-urlencoded")
        let text = try await post(
            "webhook: \(server.url("/status/200"))\nheaders: { Content-Type: text/plain }\nbody: '{{name}}!'", odd)
        #expect(text.body == Deliveries.oddText + "!")
    }

    @Test("no value can begin another header field, and a header can be a secret")
    func headers() async throws {
        try directory.write("token", "Bearer canary")
        let request = try await post(
            "webhook: \(server.url("/status/200"))\nheaders: { X-Title: '{{name}}', Authorization: { file: token } }",
            Deliveries.one(text: " a\r\nX-Evil: 1\u{0}ü "))
        #expect(request.headers["x-title"]?.hasPrefix("a  X-Evil: 1 ") == true)
        #expect(request.headers["x-evil"] == nil)
        #expect(request.headers["authorization"] == "Bearer canary")
    }

    @Test("'message' replaces the message of the payload")
    func message() async throws {
        let request = try await post(
            "webhook: \(server.url("/status/200"))\nmessage: \"{{name}}: {{before.text}}\"",
            Deliveries.one(text: "\"x\""))
        let object = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
        #expect((object?["data"] as? [String: Any])?["message"] as? String == "\"x\": 1 day")
    }

    @Test("the answer is kept, bounded and without the secrets that it repeats")
    func report() async throws {
        try directory.write("token", "canary-canary")
        let sink = try SinkRegistry.soundSink(
            "webhook: \(server.url("/echo?key=canary"))\nheaders: { X-Token: { file: token } }", in: directory.path)
        let report = try await sink.deliver(Deliveries.one())
        #expect(report.httpStatus == 200)
        #expect(report.body?.text.contains("(secret)") == true && report.body?.text.contains("canary") == false)
        let long = try await sink.deliver(Deliveries.one(text: String(repeating: "long ", count: 2_000)))
        #expect(long.body?.isCutAtEnd == true && long.body?.text.utf8.count ?? 0 <= 4096)
        await sink.shutdown()
        let failing = try SinkRegistry.soundSink("webhook: \(server.url("/status/410"))")
        #expect(try await failing.attempt()?.report == DeliveryReport(httpStatus: 410, body: .init(head: "ok\n".utf8)))
        await failing.shutdown()
    }

    @Test("connections are used again")
    func pool() async throws {
        let sink = try SinkRegistry.soundSink("webhook: \(server.url("/status/200"))")
        // A connection is closed when nobody uses it for 4 s, which may pass between two requests on a busy machine.
        var connections: [Int] = []
        while connections.count < 60, connections.count == Set(connections).count {
            #expect(try await sink.attempt(Deliveries.one(number: connections.count)) == nil)
            connections = try server.received().map(\.connection)
        }
        await sink.shutdown()
        #expect(connections.count > Set(connections).count)
    }

    @Test(
        "what is wrong with the options is said at its place",
        arguments: [
            ("webhook: http://h/\nmethod: GET", "2:9: 'method' must be one of POST, PUT, PATCH"),
            ("webhook: http://h/\nsecret: canary", "2:9: 'secret' is a secret: write"),
            ("webhook: http://h/\nsecret: [{ env: A }, { env: B }, { env: C }]", "2:9: 'secret' is one secret"),
            ("webhook: http://h/\nheaders: { webhook-id: x }", "2:12: the header field 'webhook-id' is set by"),
            ("webhook: http://h/\nheaders: { X: a, x: b }", "2:18: the header field 'x' is there twice"),
            ("webhook: http://h/\nheaders: { X: '{{nmae}}' }", "2:15: the header field 'X' names 'nmae'"),
            ("webhook: http://h/\nbody: '{{#before}}'", "2:7: 'body' is not a Mustache template: a section has no end"),
            ("webhook: http://h/\nbody: '{\"a\": {{name}}}'", "2:7: warning: 'body' is not JSON for a reminder"),
            (
                "webhook: http://h/\nbody: '{\"a\": {{before.seconds}}}'",
                "2:7: warning: 'body' is not JSON for an expiry"
            ),
            ("webhook: http://h/\nmessage: '{{nmae}}'", "2:10: 'message' names 'nmae'"),
            ("webhook: http://h/\nredirects: always", "2:12: 'redirects' must be one of never, follow"),
            (
                "webhook: http://h/\nheaders: { Content-Type: '{{name}}' }\nbody: x",
                "3:7: 'body' needs a Content-Type without a template"
            ),
        ])
    func problems(yaml: String, problem: String) throws {
        let (_, problems) = try SinkRegistry.sink(yaml)
        #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
        #expect(!problems.contains { $0.contains("canary") })
    }

    @Test("redirects are followed if asked, a bounded number, and never to an open connection")
    func redirects() async throws {
        func attempt(_ path: String) async throws -> DeliveryError? {
            let sink = try SinkRegistry.soundSink("webhook: \(server.url(path))\nredirects: follow")
            var error = try await sink.attempt()
            await sink.shutdown()
            error?.report = .empty
            return error
        }
        let origin = "http://127.0.0.1:\(server.port)"
        for status in [301, 302, 307, 308] {
            #expect(try await attempt("/redirect?status=\(status)&to=/status/201") == nil)
            let last = try #require(try server.received().last)
            #expect(last.method == "POST" && last.path == "/status/201" && !last.body.isEmpty)
        }
        #expect(try await attempt("/redirect?status=303&to=/status/200") == nil)
        let last = try #require(try server.received().last)
        #expect(last.method == "GET" && last.body.isEmpty && last.headers["content-type"] == nil)
        #expect(
            try await attempt("/redirect?status=307&to=/status/410")
                == .permanent("\(origin): redirected to \(origin): HTTP 410"))
        #expect(try await attempt("/redirect-loop") == .permanent("\(origin): HTTP 307: more than 5 redirects"))
        #expect(
            try await attempt("/redirect?status=307&to=file:///etc/passwd")
                == .permanent("\(origin): HTTP 307: a redirect to nowhere"))
    }

    @Test("a redirect to another server carries no header of the user's and no credentials")
    func redirectedSecrets() async throws {
        let other = try await TestServer.started()
        let url = "http://user:canary@127.0.0.1:\(server.port)/redirect?status=307&to=\(other.url("/status/200"))"
        let sink = try WebhookSink.test(url, "headers: { X-Token: canary }", "redirects: follow")
        #expect(try await sink.attempt() == nil)
        await sink.shutdown()
        #expect(try server.received().last?.headers["x-token"] == "canary")
        let request = try #require(try other.received().last)
        #expect(request.headers["x-token"] == nil && request.headers["authorization"] == nil)
        #expect(Array(request.body.utf8) == CloudEvent.json(Deliveries.one()))
    }

    @Test("a redirect leads where the rules allow")
    func redirectRules() throws {
        func next(_ from: String, _ location: String) throws -> (url: String, leaves: Bool)? {
            let redirect = try WebhookRedirect.of(
                status: 308, location: location, from: WebhookTarget(from), count: 0)
            return redirect.map { ($0.target.url, $0.leavesServer) }
        }
        #expect(try next("http://h/a", "https://h/b")?.leaves == false)
        #expect(try next("http://h/a/b?c", "d?e")?.url == "http://h/a/d?e")
        #expect(try next("https://h/a", "//other/b")?.leaves == true)
        #expect(try next("https://h/a", "https://h:8443/")?.leaves == true)
        #expect(try next("http://h:8080/a", "https://h/")?.leaves == true)
        #expect(try next("https://h/a", "https://u:p@H/b")?.url == "https://H/b")
        #expect(throws: DeliveryError.permanent("HTTP 308: a redirect from https to http")) {
            try next("https://h/a", "http://h/b")
        }
        #expect(try WebhookRedirect.of(status: 304, location: "/", from: WebhookTarget("http://h/"), count: 0) == nil)
    }
}
