import AsyncHTTPClient
import NIOCore
import NIOPosix
import TminusHTTP

extension HTTPClient {
    /// The client of all webhook sinks, with one thread of its own, made by the first delivery.
    ///
    /// It stays until the process ends. Without requests it costs a sleeping thread, because idle connections are closed.
    static let ofWebhooks: HTTPClient = {
        var configuration = HTTPClient.Configuration.checked
        configuration.redirectConfiguration = .disallow
        // The engine retries a refused connection, with its own delays.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Shorter than the 5 s after which common servers close, so that a request rarely meets a closing connection.
        configuration.connectionPool.idleTimeout = .seconds(4)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return HTTPClient(
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
            configuration: configuration)
    }()
}
