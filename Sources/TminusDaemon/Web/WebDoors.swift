internal import NIOCore
internal import Synchronization
internal import TminusCore

/// What is open over TCP: the addresses, and the number of connections and of streams over HTTP/2.
final class WebDoors: Sendable {
    private struct State {
        var open: [ListenAddress] = []
        var connections = 0
        var streams = 0
        var followers: Set<ObjectIdentifier> = []
    }

    /// The most connections at the same time. As many streams of HTTP/2 may be open, over all connections: a request over HTTP/2
    /// takes no connection of its own, but about as much memory.
    let maxConnections: Int
    private let state = Mutex(State())

    /// The name by which browsers of other machines address this one; nil if none is given.
    private let name: String?
    private let prefix: String
    private let certificates: Certificates?

    /// No open address yet.
    init(maxConnections: Int = 0, name: String? = nil, prefix: String = "", certificates: Certificates? = nil) {
        self.certificates = certificates
        self.maxConnections = maxConnections
        self.name = name
        self.prefix = prefix
    }

    private var scheme: String { certificates == nil ? "http" : "https" }

    /// When the certificate in force expires; nil without TLS.
    var certificateExpiry: Timestamp? { certificates?.expiry }

    /// The addresses at which requests are served, in the order in which they opened.
    var addresses: [ListenAddress] { state.withLock(\.open) }

    /// The URLs at which requests are served.
    var urls: [String] { addresses.map { $0.url(scheme) } }

    /// The URLs of the page for a person, as far as there is telling.
    var links: [String] { addresses.compactMap { $0.link(name, scheme, prefix: prefix) } }

    /// The number of connections.
    var connections: Int { state.withLock(\.connections) }

    /// An address takes requests.
    func opened(_ address: ListenAddress) {
        // It may be opened again.
        state.withLock { if !$0.open.contains(address) { $0.open.append(address) } }
    }

    /// A connection opened. Returns false if there are too many; then it does not count.
    func enter() -> Bool {
        state.withLock { state in
            guard state.connections < maxConnections else { return false }
            state.connections += 1
            return true
        }
    }

    /// A stream of HTTP/2 began. Returns false if there are too many; then it does not count.
    func beginStream() -> Bool {
        state.withLock { state in
            guard state.streams < maxConnections else { return false }
            state.streams += 1
            return true
        }
    }

    /// A stream that counted has ended.
    func endStream() { state.withLock { $0.streams -= 1 } }

    /// Somebody follows the changes on a connection, or on one stream of HTTP/2, until it closes. Returns false if too many do: they
    /// keep one in ten free, so that others still get answers.
    func follow(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isNew: Bool? = state.withLock { state in
            if state.followers.contains(id) { return false }
            guard state.followers.count < max(1, maxConnections - max(1, maxConnections / 10)) else { return nil }
            state.followers.insert(id)
            return true
        }
        if isNew == true {
            channel.closeFuture.whenComplete { [self] _ in state.withLock { _ = $0.followers.remove(id) } }
        }
        return isNew != nil
    }

    /// A connection that counted has closed.
    func leave() { state.withLock { $0.connections -= 1 } }
}
