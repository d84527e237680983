import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
package import TminusCore

/// `webhook`: an HTTP request with the payload as its body.
package struct WebhookSink: Sink {
    /// The methods that carry a body.
    package enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
    }

    package static let kind = "webhook"
    package static let options = KeyTable(
        "a webhook sink",
        [
            .init(
                "webhook", .url, "an http or https URL", isRequired: true, example: "https://example.com/hooks/tminus"),
            .init(
                "method", .choice(Method.allCases.map(\.rawValue)), "the request's method", standard: "POST",
                example: "PUT"),
            .init(
                "headers", .map(.text), "header fields beside the standard ones", otherwise: "none",
                example: "{ X-Room: \"7\" }"),
            .init("timeout", .duration, "how long a request may take in all", standard: "10s", example: "30s"),
            .init(
                "max-concurrent", .integer(1...256), "how many may run at the same time", standard: "8", example: "1"),
        ])

    package let maxConcurrent: Int
    /// The sink's own limit comes first; this one is for a connection that cannot be given up in time.
    package var timeLimit: Duration { timeout + .seconds(5) }

    private let target: WebhookTarget
    private let method: Method
    private let headers: [(String, String)]
    private let timeout: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let lease = HTTPClientLease()

    package init?(from reader: inout MappingReader, context: SinkContext) {
        method = reader.choice("method", Method.self) ?? .post
        timeout = reader.duration("timeout") ?? .seconds(10)
        maxConcurrent = reader.integer("max-concurrent", in: 1...256) ?? 8
        let own = reader.texts("headers") ?? [:]
        for name in own.keys.sorted() {
            if let problem = WebhookHeaders.problem(name, own[name] ?? "") {
                reader.error(problem, at: "headers", entry: name)
            }
        }
        guard let text = reader.text("webhook") else { return nil }
        do throws(WebhookTarget.Problem) {
            target = try WebhookTarget(text)
        } catch {
            reader.error("'webhook' \(error.message)", at: "webhook")
            return nil
        }
        headers = WebhookHeaders.all(own, target)
        sleep = Self.sleep
    }

    /// A sink for a valid URL, else nil. `sleep` waits for the end of the time limit.
    package init?(
        url: String, headers: [String: String] = [:], timeout: Duration = .seconds(10), maxConcurrent: Int = 8,
        sleep: @escaping @Sendable (Duration) async throws -> Void = WebhookSink.sleep
    ) {
        guard let target = try? WebhookTarget(url) else { return nil }
        self.target = target
        self.headers = WebhookHeaders.all(headers, target)
        self.timeout = timeout
        self.maxConcurrent = maxConcurrent
        self.sleep = sleep
        method = .post
    }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        guard let client = lease.client() else { throw .permanent("the sink is shut down") }
        var request = HTTPClientRequest(url: target.url)
        request.method = .RAW(value: method.rawValue)
        request.headers = HTTPHeaders(headers)
        request.body = .bytes(CloudEvent.json(delivery))
        let exchange = WebhookExchange(
            timeout: timeout, send: { [request, timeout] in try await client.answer(to: request, within: timeout) },
            sleep: sleep)
        if var error = await exchange.perform() {
            error.reason = "\(target.display): \(error.reason)"
            throw error
        }
        return .empty
    }

    package func shutdown() async {
        await lease.end()
    }

    /// Waits for a time that passes by itself.
    package static let sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
