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

    /// Options without an address.
    package init() {}
}
