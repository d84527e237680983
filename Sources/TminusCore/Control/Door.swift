/// The way by which a request reaches the daemon.
package enum Door: String, Sendable, Hashable, CaseIterable {
    /// The control socket.
    case socket
    /// An address of `--listen`, also one of a Unix-domain socket for a proxy.
    case tcp
}
