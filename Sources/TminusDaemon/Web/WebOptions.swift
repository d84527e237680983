/// Where and for whom the daemon serves HTTP over TCP. Nothing without an address.
package struct WebOptions: Sendable {
    /// The addresses; empty: there is no server and no open port.
    package var addresses: [ListenAddress] = []
    /// The names by which it may be addressed.
    package var hosts = HostNames()
    /// The most connections at the same time, over all addresses.
    package var maxConnections = 1_024

    /// The path of the token file; nil: `tokens` in the state directory.
    package var tokens: String?
    /// Whether programs of this machine need a token to read.
    package var isPrivate = false
    /// Whether holders of tokens with level edit may edit over TCP.
    package var allowsEdit = false

    /// The addresses of the proxies that are believed when they say where a request comes from.
    package var trusted: [AddressRange] = []
    /// The path below which a proxy has the daemon, such as `/tools/tminus`; empty for none.
    package var prefix = ""

    /// The files for TLS at all ports; nil: plain HTTP.
    package var tls: TLSFiles?

    /// Options without an address.
    package init() {}
}

/// The paths of the files for TLS, both in PEM form.
package struct TLSFiles: Sendable, Hashable {
    /// The certificate, with those between it and an authority.
    package var certificate: String
    /// Its private key.
    package var key: String

    /// The paths of both.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}
