import TminusCore

/// The target of a redirect, for a sink that follows them.
///
/// 307 and 308 repeat the request. So do 301 and 302, because a webhook without its body would be lost. 303 means that the request
/// was accepted and that GET fetches its result (RFC 9110, sections 15.4.2 to 15.4.9).
struct WebhookRedirect: Sendable, Equatable {
    /// The most redirects of one delivery.
    static let limit = 5

    /// The new target.
    var target: WebhookTarget
    /// Whether the request is repeated with its method and body.
    var repeatsRequest: Bool
    /// Whether the target is another host or port, which gets no secret.
    var leavesServer: Bool

    /// The redirect that an answer asks for; nil if its status is not a redirect.
    ///
    /// - Parameter count: The number of redirects before this one.
    /// - Throws: A permanent error for a redirect that must not be followed.
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
        // From http to https on the standard ports is the same server.
        let isUpgrade = !from.isSecure && next.isSecure && from.port == 80 && next.port == 443
        let isSame = next.host == from.host && (isUpgrade || (next.isSecure == from.isSecure && next.port == from.port))
        return WebhookRedirect(target: next, repeatsRequest: status != 303, leavesServer: !isSame)
    }
}
