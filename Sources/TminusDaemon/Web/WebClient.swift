internal import HTTPTypes
internal import NIOCore

/// Where a request over TCP comes from.
struct WebClient: Sendable, Hashable {
    /// The IP address of the client; nil if it has none any more.
    let address: String?
    /// Whether the client is a program of this machine. One behind a proxy is not, wherever the proxy runs.
    let isLocal: Bool

    /// The client of a request.
    ///
    /// - Parameters:
    ///   - address: The IP address at the other end of the connection.
    ///   - fields: The header fields of the request.
    init(address: String? = nil, _ fields: HTTPFields = [:]) {
        self.address = address
        let isForwarded = fields.contains { Self.marks.contains($0.name.canonicalName) }
        isLocal = !isForwarded && address.map(IPLiteral.isLoopback) == true
    }

    /// Whether nobody on the way can read or change what passes.
    var isSecure: Bool { isLocal }

    /// The cookie by which its browser shows a session.
    var cookie: SessionCookie { SessionCookie(isEncrypted: false) }

    /// What counts as one client when attempts are counted: the address, or of IPv6 its first 64 bits, because a client has all
    /// addresses below them.
    var network: String { address.map(IPLiteral.network) ?? "" }

    /// The fields that proxies set; a client that sets one by itself loses only rights.
    private static let marks: Set<String> = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]
}
