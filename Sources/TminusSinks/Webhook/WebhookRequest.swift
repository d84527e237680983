import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import TminusCore

/// One request, ready to be sent, and what must not be shown of it.
struct WebhookRequest: Sendable {
    var target: WebhookTarget
    var method: String
    /// The standard fields and those of the signature, which any server may get.
    var common: HTTPHeaders
    /// The user's fields and the credentials of the URL, which may be secrets.
    var own: HTTPHeaders
    /// None for GET.
    var body: [UInt8]?
    /// The certificate authorities, if they are not the system's.
    var trust: TLSConfiguration?
    var redaction: Redaction

    /// The request after a redirect.
    func redirected(by redirect: WebhookRedirect) -> WebhookRequest {
        var next = self
        next.target = redirect.target
        if redirect.leavesServer { next.own = [:] }
        if !redirect.repeatsRequest {
            next.method = "GET"
            next.body = nil
            next.common.remove(name: "Content-Type")
        }
        return next
    }

    /// The request for the client. A user's field replaces the standard one of its name.
    var http: HTTPClientRequest {
        var request = HTTPClientRequest(url: target.url)
        request.method = .RAW(value: method)
        request.headers = common
        for field in own { request.headers.remove(name: field.name) }
        request.headers.add(contentsOf: own)
        request.body = body.map { .bytes($0) }
        request.tlsConfiguration = trust
        return request
    }
}

extension HTTPClient {
    /// Sends a request and, if wanted, follows redirects. The head of each answer must arrive within `timeout`. `now` is compared with the
    /// dates of the server, in seconds since 1970.
    func answer(
        to request: WebhookRequest, followsRedirects: Bool, within timeout: Duration, now: @Sendable () -> Int64
    ) async throws -> WebhookExchange.Answer {
        let limit = TimeAmount.nanoseconds(min(timeout.nanoseconds, 366 * 86_400 * 1_000_000_000))
        var request = request
        var count = 0
        while true {
            let response = try await execute(request.http, timeout: limit)
            let status = Int(response.status.code)
            if followsRedirects,
                let redirect = try WebhookRedirect.of(
                    status: status, location: response.headers.first(name: "Location"), from: request.target,
                    count: count)
            {
                _ = await response.body.beginning()
                request = request.redirected(by: redirect)
                count += 1
                continue
            }
            var verdict = WebhookVerdict.of(
                status: status, retryAfter: response.headers.first(name: "Retry-After"), now: now())
            if count > 0, let reason = verdict?.reason {
                // The server chose this target.
                verdict?.reason = "redirected to \(request.redaction.clean(request.target.display)): \(reason)"
            }
            return WebhookExchange.Answer(status: status, verdict: verdict) { [redaction = request.redaction] in
                let (bytes, isComplete) = await response.body.beginning()
                guard !bytes.isEmpty else { return nil }
                return .init(
                    head: redaction.clean(bytes, cuts: isComplete ? [] : .end), isComplete: isComplete)
            }
        }
    }
}

extension HTTPClientResponse.Body {
    /// As much of a body as is kept, with what is needed to find secrets at its end, and whether that is all. The connection of a
    /// longer one is closed.
    fileprivate func beginning() async -> (bytes: [UInt8], isComplete: Bool) {
        let limit = DeliveryReport.Excerpt.limit + Redaction.margin
        var bytes: [UInt8] = []
        do {
            for try await piece in self {
                let room = limit - bytes.count
                bytes += piece.readableBytesView.prefix(room)
                if piece.readableBytes > room { return (bytes, false) }
            }
            return (bytes, true)
        } catch {
            // Only the status counts.
            return (bytes, false)
        }
    }
}
