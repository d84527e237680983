import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL
import TminusCore

/// One request, ready to be sent, with what must not be shown of it.
struct WebhookRequest: Sendable {
    var target: WebhookTarget
    var method: String
    /// The standard fields and those of the signature, which any server may have.
    var common: [(name: String, value: String)]
    /// The fields of the user and the credentials of the URL, which may be secrets.
    var own: [(name: String, value: String)]
    /// None for GET.
    var body: [UInt8]?
    /// Other authorities than the system's.
    var trust: TLSConfiguration?
    var redaction: WebhookRedaction

    /// The request that a redirect asks for.
    func redirected(by redirect: WebhookRedirect) -> WebhookRequest {
        var next = self
        next.target = redirect.target
        if redirect.leavesServer { next.own = [] }
        if !redirect.repeatsRequest {
            next.method = "GET"
            next.body = nil
            next.common.removeAll { $0.name == "Content-Type" }
        }
        return next
    }

    /// For the client. A field of the user takes the place of a standard one with its name.
    var http: HTTPClientRequest {
        var request = HTTPClientRequest(url: target.url)
        request.method = .RAW(value: method)
        let names = Set(own.map { $0.name.lowercased() })
        let standard = common.filter { !names.contains($0.name.lowercased()) }
        request.headers = HTTPHeaders((standard + own).map { ($0.name, $0.value) })
        request.body = body.map { .bytes($0) }
        request.tlsConfiguration = trust
        return request
    }
}

extension HTTPClient {
    /// Sends a request, and what redirects ask for where they are followed. The head of each answer is to come within `timeout`.
    func answer(
        to request: WebhookRequest, followsRedirects: Bool, within timeout: Duration
    ) async throws -> WebhookExchange.Answer {
        let limit = TimeAmount.nanoseconds(min(timeout.nanoseconds, 366 * 86_400 * 1_000_000_000))
        var request = request
        var count = 0
        while true {
            let response = try await execute(request.http, timeout: limit)
            let status = Int(response.status.code)
            let redirect =
                try followsRedirects
                ? WebhookRedirect.of(
                    status: status, location: response.headers.first(name: "Location"), from: request.target,
                    count: count) : nil
            if let redirect {
                _ = await response.body.beginning()
                request = request.redirected(by: redirect)
                count += 1
                continue
            }
            var verdict = WebhookVerdict.of(
                status: status, retryAfter: response.headers.first(name: "Retry-After"),
                now: Int64(time(nil)))
            if count > 0, let reason = verdict?.reason {
                verdict?.reason = "redirected to \(request.target.display): \(reason)"
            }
            return WebhookExchange.Answer(status: status, verdict: verdict) { [redaction = request.redaction] in
                let (bytes, isComplete) = await response.body.beginning()
                guard !bytes.isEmpty else { return nil }
                return .init(head: redaction.applied(to: bytes, isComplete: isComplete), isComplete: isComplete)
            }
        }
    }
}

extension HTTPClientResponse.Body {
    /// No more than is kept of a body, and whether that is all. The connection of a longer one is closed.
    fileprivate func beginning() async -> (bytes: [UInt8], isComplete: Bool) {
        var bytes: [UInt8] = []
        do {
            for try await piece in self {
                let room = DeliveryReport.Excerpt.limit - bytes.count
                bytes += piece.readableBytesView.prefix(room)
                if piece.readableBytes > room { return (bytes, false) }
            }
            return (bytes, true)
        } catch {
            // The status is what counts.
            return (bytes, false)
        }
    }
}
