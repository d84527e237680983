import AsyncHTTPClient
import Glibc
import NIOHTTP1
package import TminusCore

/// `webhook`: an HTTP request whose body is the payload, or a text made from it.
package struct WebhookSink: Sink {
    /// The methods that carry a body.
    package enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
    }

    /// What a redirect means.
    package enum Redirects: String, CaseIterable, Sendable {
        /// A permanent failure.
        case never
        /// Another request, up to five times, but never from https to http.
        case follow
    }

    package static let kind = "webhook"
    package static let options = KeyTable(
        "a webhook sink",
        [
            .init(
                "webhook", .either([.url, .secret]), "an http or https URL, or a secret that holds one",
                isRequired: true, example: "https://example.com/hooks/tminus", aliases: ["url", "uri"]),
            .init(
                "method", .choice(Method.allCases.map(\.rawValue)), "the request's method", standard: "POST",
                example: "PUT"),
            .init(
                "headers", WebhookHeaders.valueType, "additional header fields, given as templates or secrets",
                otherwise: "none", example: "{ X-Room: \"7\" }"),
            .init(
                "body", .text, "a Mustache template over the payload's data, escaped for its Content-Type",
                otherwise: "the payload", example: "'{\"text\": \"{{message}}\"}'"),
            .init(
                "secret", .oneOrMore(.secret),
                "the signing secret (Standard Webhooks); two of them during a rotation", otherwise: "not signed",
                example: "{ env: CHAT_SECRET }"),
            .init("timeout", .duration, "the time limit of a whole request", standard: "10s", example: "30s"),
            .init(
                "redirects", .choice(Redirects.allCases.map(\.rawValue)), "whether redirects are followed",
                standard: "never", example: "follow"),
            .init(
                "ca-file", .filePath, "the certificate authorities to trust, in PEM form", otherwise: "the system's",
                example: "../ca.pem"),
            .init(
                "max-concurrent", .integer(1...256), "the maximum number of concurrent requests", standard: "8",
                example: "1"),
            MessageTemplate.key,
        ])

    package let maxConcurrent: Int
    /// The sink keeps its own limit; this one is for a connection that cannot be closed in time.
    package var timeLimit: Duration { timeout + .seconds(5) }

    private let address: WebhookAddress
    private let method: Method
    private let headers: WebhookHeaders
    private let body: WebhookBody
    private let message: MessageTemplate
    private let secrets: [SecretSource]
    private let trust: WebhookTrust?
    private let redirects: Redirects
    private let timeout: Duration
    private let clock: (any WallClock)?
    /// Waits for the time limit in place of the clock.
    var sleep: TimeLimit.Sleep?

    package init?(from reader: inout MappingReader, context: SinkContext) {
        clock = context.clock
        method = reader.choice("method", Method.self) ?? .post
        timeout = reader.duration("timeout") ?? .seconds(10)
        maxConcurrent = reader.integer("max-concurrent", in: 1...256) ?? 8
        redirects = reader.choice("redirects", Redirects.self) ?? .never
        headers = WebhookHeaders(from: reader, key: "headers", context: context)
        body = WebhookBody(from: reader, key: "body", headers: headers)
        message = MessageTemplate(from: reader)
        trust = reader.path("ca-file").map { WebhookTrust(path: context.resolve($0)) }
        if let path = trust?.path { reader.needs(.file(path), at: "ca-file") }
        let nodes = reader.oneOrMore("secret")
        secrets = (nodes ?? []).compactMap { SecretSource($0, for: "secret", context: context, reader.diagnostics) }
        if let nodes, !(1...2).contains(nodes.count) {
            reader.error("'secret' is one secret, or a list of two while it is changed", at: "secret")
        }
        guard let address = WebhookAddress(from: reader, key: "webhook", context: context) else { return nil }
        self.address = address
    }

    package func draft(of delivery: Delivery) -> DeliveryDraft {
        var hidden = headers.literalSecrets + body.literalSecrets
        if case .known(let target) = address { hidden += WebhookSecrets.of(target) }
        let redaction = Redaction(hidden.sorted { $0.count > $1.count })
        var delivery = message.applied(to: delivery)
        let content: DeliveryDraft.Content = body.text(for: delivery).map { .text(redaction.clean($0)) } ?? .event
        var fields = headers.drafted(for: delivery) { redaction.clean($0) }
        func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name.lowercased() } }
        if !has("Content-Type") { fields.insert(DeliveryDraft.Field("Content-Type", body.type), at: 0) }
        if case .known(let target) = address, target.authorization != nil, !has("Authorization") {
            fields.append(DeliveryDraft.Field("Authorization", DeliveryDraft.secret))
        }
        delivery.payload.message = redaction.clean(delivery.payload.message)
        return DeliveryDraft(delivery, content: content, headers: fields)
    }

    /// The time in seconds since 1970. Receivers refuse a signature of the wrong time.
    private var now: Int64 { clock.map { $0.recentReading.now.nanoseconds / 1_000_000_000 } ?? Int64(time(nil)) }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let request = try await request(for: message.applied(to: delivery))
        let exchange = WebhookExchange(
            timeout: timeout,
            send: {
                try await HTTPClient.ofWebhooks.answer(
                    to: request, followsRedirects: redirects == .follow, within: timeout, now: { now })
            },
            sleep: sleep)
        do throws(DeliveryError) {
            return try await exchange.perform()
        } catch {
            var error = error
            error.reason = "\(request.target.display): \(error.reason)"
            throw error
        }
    }

    /// The request for a delivery, with the current secrets.
    private func request(for delivery: Delivery) async throws(DeliveryError) -> WebhookRequest {
        let target = try await address.target()
        var (own, hidden) = try await headers.resolved(for: delivery)
        let bytes = body.bytes(for: delivery)
        hidden += WebhookSecrets.of(target)
        if let authorization = target.authorization, !own.contains(name: "Authorization") {
            own.add(name: "Authorization", value: authorization)
        }
        var common: HTTPHeaders = ["Content-Type": body.type, "User-Agent": "tminus"]
        if !secrets.isEmpty {
            var values: [Secret] = []
            for source in secrets { values.append(try await source.read()) }
            hidden += values.map(\.bytes)
            common.add(
                contentsOf: try WebhookSignature(values).headers(
                    id: delivery.id.rawValue, timestamp: now, body: bytes))
        }
        return WebhookRequest(
            target: target, method: method.rawValue, common: common, own: own, body: bytes,
            trust: try await trust?.configuration(), redaction: Redaction(hidden))
    }
}
