/// Where and for whom the daemon serves HTTP over TCP. Nothing without an address.
package struct WebOptions: Sendable {
    /// The addresses; empty: there is no server and no open port.
    package var addresses: [ListenAddress] = []
    /// The names by which it may be addressed.
    package var hosts = HostNames()
    /// The most connections at the same time, over all addresses.
    package var maxConnections = 1_024

    /// Options without an address.
    package init() {}
}
