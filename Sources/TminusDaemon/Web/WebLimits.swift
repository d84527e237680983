internal import Logging

/// What a client may use of a door over TCP, by HTTP/1.1 and by HTTP/2.
struct WebLimits: Sendable {
    /// Counts connections and streams.
    let doors: WebDoors
    /// Counts refusals.
    let figures: WebFigures
    /// The open connections.
    let connections: Connections
    let logger: Logger
    /// How long the handshake of TLS may take, and how long the headers of the first request.
    let head: Duration
    /// How long a connection may be idle after an answer.
    let pause: Duration
    /// How long a client may leave an answer unread.
    let reading = Duration.seconds(30)

    /// The most bytes of the header fields of a request, and the most of them.
    static let headerBytes = 16 << 10
    static let headerCount = 100
    /// The most requests at the same time on one connection over HTTP/2.
    static let streams = 100
}
