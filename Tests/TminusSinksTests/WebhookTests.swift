import Foundation
import Glibc
import TestServer
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

@Suite("Webhook", .serialized)
struct WebhookTests {
    private let server: TestServer

    init() async throws {
        signal(SIGPIPE, SIG_IGN)
        server = try await TestServer.started()
    }

    private func attempt(_ path: String, timeout: Duration = Bounded.limit) async throws -> DeliveryError? {
        let sink = try WebhookSink.test(server.url(path), timeout: timeout)
        var error = try await sink.attempt()
        await sink.shutdown()
        error?.report = .empty
        return error
    }

    @Test("the status decides")
    func statuses() async throws {
        let origin = "http://127.0.0.1:\(server.port)"
        for status in [200, 201, 204] { #expect(try await attempt("/status/\(status)") == nil) }
        for status in [408, 425, 429, 500, 503] {
            #expect(try await attempt("/status/\(status)") == .transient("\(origin): HTTP \(status)"))
        }
        for status in [400, 404, 410] {
            #expect(try await attempt("/status/\(status)") == .permanent("\(origin): HTTP \(status)"))
        }
        #expect(try await attempt("/status/301") == .permanent("\(origin): HTTP 301: redirects are not followed"))
        #expect(try server.received().count == 12)
    }

    @Test("Retry-After is handed on")
    func retryAfter() async throws {
        #expect(try await attempt("/status/429?retry-after=7")?.retryAfter == .seconds(7))
        #expect(try await attempt("/status/503?retry-after=soon")?.retryAfter == nil)
        #expect(
            try await attempt("/status/503?retry-after=Sun,%2006%20Nov%201994%2008:49:37%20GMT")?.retryAfter == .zero)
    }

    @Test("the request has the payload, its type and the headers of the options")
    func request() async throws {
        let url = "http://us%40er:pass@127.0.0.1:\(server.port)/status/200?key=1#part"
        let sink = try WebhookSink.test(url, "headers: { X-Key: \"1\", user-agent: mine }")
        #expect(try await sink.attempt() == nil)
        await sink.shutdown()
        let request = try #require(try server.received().first)
        #expect(request.method == "POST" && request.path == "/status/200?key=1")
        #expect(request.headers["content-type"] == "application/cloudevents+json; charset=utf-8")
        #expect(request.headers["x-key"] == "1" && request.headers["user-agent"] == "mine")
        #expect(request.headers["authorization"] == "Basic " + Data("us@er:pass".utf8).base64EncodedString())
        #expect(Array(request.body.utf8) == CloudEvent.json(Deliveries.one()))
    }

    @Test("a refused connection and a connection that ends without an answer may be tried again")
    func transport() async throws {
        let sink = try WebhookSink.test("http://user:canary@127.0.0.1:1/canary?canary")
        #expect(try await sink.attempt() == .transient("http://127.0.0.1:1: connection refused"))
        await sink.shutdown()
        let closed = try #require(try await attempt("/close"))
        #expect(closed.isTransient, "\(closed)")
        let unknown = try WebhookSink.test("http://no-such-host.invalid/")
        let error = try #require(try await unknown.attempt())
        #expect(error.isTransient && !error.reason.contains("canary"), "\(error)")
        await unknown.shutdown()
    }

    @Test(
        "a server that never answers, or never ends its headers, ends at the time limit",
        arguments: ["/hang", "/slow-headers"])
    func neverAnswers(path: String) async throws {
        let error = try await attempt(path, timeout: .milliseconds(300))
        #expect(error == .transient("http://127.0.0.1:\(server.port): timed out after 0.3 s"))
    }

    @Test("at the time limit the connection is closed", arguments: ["/hang", "/slow-headers"])
    func limitCloses(path: String) async throws {
        let untilReceived: @Sendable (Duration) async throws -> Void = { [self] _ in
            let error = try await attempt("/await/received\(path)")
            #expect(error == nil)
        }
        var sink = try WebhookSink.test(server.url(path), timeout: .seconds(90))
        sink.sleep = untilReceived
        let error = try await sink.attempt()
        #expect(error == .transient("http://127.0.0.1:\(server.port): timed out after 90 s"))
        #expect(try await attempt("/await/closed\(path)") == nil)
        await sink.shutdown()
    }

    @Test("the status holds, however long the body is, and the rest is not read")
    func endlessBody() async throws {
        #expect(try await attempt("/endless") == nil)
        #expect(try await attempt("/await/closed/endless") == nil)
    }

    @Test("the status holds, though the time is over while the body is read")
    func slowBody() async throws {
        let (reads, read) = AsyncStream.makeStream(of: Void.self)
        let exchange = WebhookExchange(timeout: .seconds(90)) {
            WebhookExchange.Answer(status: 200, verdict: nil) {
                read.yield()
                // A body that never ends; only the end of the exchange ends this wait.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return DeliveryReport.Excerpt(head: "half".utf8, isComplete: false)
            }
        } sleep: { _ in
            for await _ in reads { return }
        }
        let report = try await Bounded.value("the exchange to end") {
            try await exchange.perform()
        }
        #expect(report.httpStatus == 200 && report.body?.text == "half" && report.body?.isCutAtEnd == true)
    }

    @Test(
        "a URL that cannot be used is reported without its text",
        arguments: [
            "", "chat", "ftp://h/canary", "http://", "http:///canary", "http://h:99999/canary", "http://h /canary",
            "//h/canary",
        ])
    func badURL(url: String) {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let sink = SinkRegistry(StandardSinks.kinds).make(
            .test("webhook", [("webhook", .scalar(url))], in: "/"), root: "/", reporting: diagnostics)
        #expect(sink == nil && diagnostics.hasErrors)
        #expect(!diagnostics.diagnostics.contains { $0.message.contains("canary") })
    }

    @Test(
        "header fields that would break the request are reported without their values",
        arguments: ["Host", "bad name", "X"])
    func badHeaders(name: String) {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let headers = Node.Content.mapping([.init(key: name, value: Node(.scalar("canary\r\nX: y")))])
        _ = SinkRegistry(StandardSinks.kinds).make(
            .test("webhook", [("webhook", .scalar("http://h/")), ("headers", headers)], in: "/"), root: "/",
            reporting: diagnostics)
        #expect(diagnostics.hasErrors)
        #expect(!diagnostics.diagnostics.contains { $0.message.contains("canary") })
    }

    @Test("URLs are shown without anything that may be a secret")
    func display() throws {
        let target = try WebhookTarget("HTTPS://user:canary@Host.example:8443/canary?canary#canary")
        #expect(target.display == "https://Host.example:8443")
        #expect(target.url == "https://Host.example:8443/canary?canary")
        #expect(try WebhookTarget("http://[::1]:80/").display == "http://[::1]:80")
    }
}
