import FoundationEssentials

/// Where a webhook goes: the URL without its credentials, and a form of it that may be shown.
struct WebhookTarget: Sendable, Hashable {
    /// The URL of the request, without user, password and fragment.
    let url: String
    /// `scheme://host:port`: paths and queries often hold a secret.
    let display: String
    /// `Authorization` for a user and password in the URL (RFC 7617); nil without.
    let authorization: String?

    /// What is wrong with a URL; never holds the URL itself.
    struct Problem: Error {
        var message: String
    }

    /// The target that `text` names, an absolute `http` or `https` URL.
    init(_ text: String) throws(Problem) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), var parts = URLComponents(string: text) else {
            throw Problem(message: "is not a URL; it must look like https://host/path, without spaces")
        }
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
    }
}
