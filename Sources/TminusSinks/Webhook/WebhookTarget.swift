import FoundationEssentials

/// The target of a request: the URL without its credentials, and a form of it that may be shown.
struct WebhookTarget: Sendable, Hashable {
    /// The URL of the request, without user, password and fragment.
    let url: String
    /// `scheme://host:port`, because paths and queries often hold a secret.
    let display: String
    /// The field `Authorization` for a user and password in the URL (RFC 7617); nil without them.
    let authorization: String?
    /// Whether the connection is encrypted.
    let isSecure: Bool
    /// The host in lower case.
    let host: String
    /// The port, if necessary that of the scheme.
    let port: Int

    /// Why a URL cannot be used; never contains the URL itself.
    struct Problem: Error {
        var message: String
    }

    /// The target of an absolute `http` or `https` URL.
    init(_ text: String) throws(Problem) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let parts = URLComponents(string: text) else {
            throw Problem(message: "is not a URL; it must look like https://host/path, without spaces")
        }
        try self.init(parts)
    }

    private init(_ parts: URLComponents) throws(Problem) {
        var parts = parts
        guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw Problem(message: "must be a URL that begins with https:// or http://")
        }
        guard let host = parts.host, !host.isEmpty else { throw Problem(message: "is a URL without a host") }
        if let port = parts.port, !(1...65_535).contains(port) {
            throw Problem(message: "is a URL with a port outside 1 to 65535")
        }
        if let user = parts.user {
            let pair = Data("\(user):\(parts.password ?? "")".utf8)
            authorization = "Basic \(pair.base64EncodedString())"
        } else {
            authorization = nil
        }
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        parts.scheme = scheme
        guard let url = parts.string else { throw Problem(message: "is not a URL") }
        self.url = url
        display = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        isSecure = scheme == "https"
        self.host = host.lowercased()
        port = parts.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The target in the field `Location` of an answer, which may be relative (RFC 9110, section 10.2.2). Its credentials are not used.
    func redirected(to location: String) -> WebhookTarget? {
        guard location.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let base = URL(string: url),
            let next = URL(string: location, relativeTo: base)?.absoluteURL,
            var parts = URLComponents(string: next.absoluteString)
        else { return nil }
        (parts.user, parts.password) = (nil, nil)
        return try? WebhookTarget(parts)
    }

    /// The part of the URL after the host, from its `/` or `?` on.
    var pathAndQuery: Substring {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        return rest.firstIndex { $0 == "/" || $0 == "?" }.map { rest[$0...] } ?? ""
    }
}
