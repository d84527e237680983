internal import HTTPTypes

/// Where a request over TCP comes from, and how it was addressed.
struct WebClient: Sendable, Hashable {
    /// The IP address of the client; nil if it is not known.
    var address: String?
    /// Whether the client is a program of this machine. One behind a proxy is not, wherever the proxy runs.
    var isLocal = false
    /// Whether the client speaks TLS, with the daemon or with a trusted proxy.
    var isEncrypted = false
    /// The host and port that the client asked for; nil if there is none.
    var host: String?
    /// The path below which a proxy has the daemon, such as `/tools/tminus`; empty for none.
    var prefix = ""

    /// Whether nobody on the way can read or change what passes.
    var isSecure: Bool { isLocal || isEncrypted }
    /// The scheme by which the client reaches the daemon.
    var scheme: String { isEncrypted ? "https" : "http" }
    /// The cookie by which its browser shows a session.
    var cookie: SessionCookie { SessionCookie(isEncrypted: isEncrypted, prefix: prefix) }
    /// What counts as one client when attempts are counted: the address, or of IPv6 its first 64 bits, because a client has all
    /// addresses below them.
    var network: String { address.map(IPLiteral.network) ?? "" }
}

/// Which proxies are believed when they say where a request comes from.
struct ProxyRules: Sendable, Hashable {
    /// The addresses of the proxies.
    var trusted: [AddressRange] = []
    /// The path below which they have the daemon.
    var prefix = ""

    /// The client of a request.
    ///
    /// What a proxy says counts only if it is trusted, and from the right, because everything to the left of its own entry comes from
    /// elsewhere.
    ///
    /// - Parameters:
    ///   - peer: The IP address at the other end of the connection; nil if it has none.
    ///   - isSocket: Whether the connection came by a Unix-domain socket, before which only a proxy stands.
    ///   - isEncrypted: Whether the connection speaks TLS. Of a client behind a trusted proxy that says nothing: the proxy does.
    func client(
        of request: HTTPRequest, from peer: String?, isSocket: Bool = false, isEncrypted: Bool = false
    ) -> WebClient {
        let fields = request.headerFields
        var client = WebClient(address: peer, host: request.authority, prefix: prefix)
        let isForwarded = fields.contains { Self.marks.contains($0.name.canonicalName) }
        guard isSocket || (isForwarded && peer.map(isTrusted) == true) else {
            client.isLocal = !isForwarded && peer.map(IPLiteral.isLoopback) == true
            client.isEncrypted = isEncrypted
            return client
        }
        let chain = fields.list("x-forwarded-for")
        let nearest = chain.last { !isTrusted($0) } ?? chain.first
        client.address = nearest.flatMap { IPLiteral.isValid($0) ? $0 : nil }
        client.isEncrypted = fields.list("x-forwarded-proto").last == "https"
        client.host = fields.list("x-forwarded-host").last ?? client.host
        return client
    }

    private func isTrusted(_ address: String) -> Bool { trusted.contains { $0.contains(address) } }

    /// The fields that proxies set; a client that sets one by itself loses only rights.
    private static let marks: Set<String> = [
        "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
    ]
}

extension HTTPFields {
    /// The elements of a list that stands in one or several fields, in their order.
    fileprivate func list(_ name: String) -> [String] {
        filter { $0.name.canonicalName == name }.flatMap { field in
            field.value.split(separator: ",").map { element in
                String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }
}
