import TminusCore

/// Where a redirect leads, for a sink that follows them.
///
/// 307 and 308 repeat the request, and so do 301 and 302, for a webhook without its body would be lost; 303 says that the
/// request was taken and its result is elsewhere, which is then fetched by GET (RFC 9110, sections 15.4.2 to 15.4.9).
struct WebhookRedirect: Sendable, Equatable {
    /// The most redirects of one delivery.
    static let limit = 5

    /// The new target.
    var target: WebhookTarget
    /// Whether the request is repeated, with its method and its body.
    var repeatsRequest: Bool
    /// Whether the target is another host, or another server on it: it gets no secret.
    var leavesServer: Bool

    /// Where the answer leads; nil: the status is no redirect.
    ///
    /// - Parameter count: How many redirects came before.
    /// - Throws: a permanent error for a redirect that is not followed.
    static func of(
        status: Int, location: String?, from: WebhookTarget, count: Int
    ) throws(DeliveryError) -> WebhookRedirect? {
        guard [301, 302, 303, 307, 308].contains(status) else { return nil }
        guard count < limit else { throw .permanent("HTTP \(status): more than \(limit) redirects") }
        guard let location, let next = from.redirected(to: location) else {
            throw .permanent("HTTP \(status): a redirect to nowhere")
        }
        guard next.isSecure || !from.isSecure else {
            throw .permanent("HTTP \(status): a redirect from https to http")
        }
        // The step from http to https on the standard ports stays on the server.
        let isUpgrade = !from.isSecure && next.isSecure && from.port == 80 && next.port == 443
        let isSame = next.host == from.host && (isUpgrade || (next.isSecure == from.isSecure && next.port == from.port))
        return WebhookRedirect(target: next, repeatsRequest: status != 303, leavesServer: !isSame)
    }
}
