internal import HTTPTypes
internal import TminusControl

/// Judges whether a request can be the work of another site in somebody's browser.
///
/// A browser says where a request comes from: `Origin` (RFC 6454) with every change and with every reading by `fetch` or `EventSource`
/// from elsewhere, and `Sec-Fetch-Site` (W3C Fetch Metadata) unless the connection is plain HTTP to another machine. No page can forge
/// them. A program that is no browser sends neither.
struct SiteRules: Sendable, Hashable {
    /// The scheme by which the client reaches the daemon: `http` or `https`.
    var scheme = "http"
    /// The host and port that it asked for.
    var host: String

    /// Refuses a request that another site can have caused.
    ///
    /// - Throws: ``Problem``.
    func check(_ request: HTTPRequest) throws(Problem) {
        if let origin = request.headerFields[.origin], !isOwn(origin) {
            throw Problem(
                .forbidden,
                "the request comes from the page of '\(origin.prefix(100))', not from '\(scheme)://\(host)'; behind a proxy start with --trust-proxy"
            )
        }
        if [.get, .head].contains(request.method) {
            try checkReading(request)
        } else {
            try checkChange(request)
        }
    }

    private func checkReading(_ request: HTTPRequest) throws(Problem) {
        let site = request.headerFields[FetchMetadata.site]
        guard site == nil || site == "same-origin" || site == "none" || isNavigation(request) else {
            throw Problem(.forbidden, "another site asks for this in its page; open it by its address instead")
        }
    }

    private func checkChange(_ request: HTTPRequest) throws(Problem) {
        let fields = request.headerFields
        guard fields[FetchMetadata.site].map({ $0 == "same-origin" }) ?? true else {
            throw Problem(.forbidden, "another site sent this request")
        }
        // A browser with a session always says where a change comes from.
        let isSilent = fields[.origin] == nil && fields[FetchMetadata.site] == nil
        guard !isSilent || fields[.cookie] == nil || fields[.authorization] != nil else {
            throw Problem(
                .forbidden, "a change by a session must come from its page; a program sends 'Authorization: Bearer'")
        }
        // Pages can send three other types to other sites without asking first (Fetch, "CORS-safelisted request-header").
        guard request.method != .post || !hasBody(fields) || isJSON(fields[.contentType] ?? "") else {
            throw Problem(.wrongType, "the body must be JSON: send 'Content-Type: application/json'")
        }
    }

    /// Whether a person goes to the address in a window of its own; not in a frame.
    private func isNavigation(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        return request.method == .get && fields[FetchMetadata.mode] == "navigate"
            && fields[FetchMetadata.destination] == "document"
    }

    /// Whether an origin is that of this door's own page: scheme, host and port count.
    private func isOwn(_ origin: String) -> Bool {
        let start = scheme + "://"
        guard origin.lowercased().hasPrefix(start), !host.isEmpty else { return false }
        return full(origin.dropFirst(start.utf8.count)) == full(host[...])
    }

    /// A host with its port, which browsers leave out if it is that of the scheme.
    private func full(_ host: Substring) -> String {
        let host = host.lowercased()
        let hasPort = host.hasPrefix("[") ? !host.hasSuffix("]") : host.contains(":")
        return hasPort ? host : "\(host):\(scheme == "https" ? 443 : 80)"
    }

    private func hasBody(_ fields: HTTPFields) -> Bool {
        fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
    }

    private func isJSON(_ type: String) -> Bool {
        type.prefix { $0 != ";" && $0 != " " }.lowercased() == "application/json"
    }
}

/// The fields in which browsers say what a request is for (W3C Fetch Metadata Request Headers).
private enum FetchMetadata {
    /// How the page relates to what it asks for: `same-origin`, `same-site`, `cross-site`, or `none` if a person asks.
    static let site = HTTPField.Name("sec-fetch-site")
    /// What kind of request it is, such as `navigate`.
    static let mode = HTTPField.Name("sec-fetch-mode")
    /// What the answer is for, such as `document` or `script`.
    static let destination = HTTPField.Name("sec-fetch-dest")
}

extension HTTPFields {
    /// The value of a field whose name was made of text.
    fileprivate subscript(name: HTTPField.Name?) -> String? { name.flatMap { self[$0] } }
}
