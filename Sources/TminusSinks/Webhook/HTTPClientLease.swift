import AsyncHTTPClient
import NIOCore
import NIOPosix
import Synchronization
import TminusHTTP

/// The HTTP client that all webhook sinks of the process share.
///
/// It exists, with its one thread, from the first delivery of the first sink to the shutdown of the last one that used it.
final class SharedHTTPClient: Sendable {
    /// One for the process.
    static let shared = SharedHTTPClient()

    private struct State {
        var client: HTTPClient?
        var group: MultiThreadedEventLoopGroup?
        var users = 0
    }

    private let state = Mutex(State())

    /// The client. Each call is paired with one of ``release()``.
    func acquire() -> HTTPClient {
        state.withLock { state in
            state.users += 1
            if let client = state.client { return client }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: Self.configuration)
            state.group = group
            state.client = client
            return client
        }
    }

    /// Ends the client if nobody uses it any more.
    func release() async {
        let (client, group) = state.withLock { state -> (HTTPClient?, MultiThreadedEventLoopGroup?) in
            state.users -= 1
            guard state.users == 0 else { return (nil, nil) }
            defer { (state.client, state.group) = (nil, nil) }
            return (state.client, state.group)
        }
        try? await client?.shutdown()
        try? await group?.shutdownGracefully()
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration.checked
        configuration.redirectConfiguration = .disallow
        // A refused connection is the dispatcher's to try again, with its own delays.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Shorter than the 5 s after which common servers close, so that a request rarely meets a closing connection.
        configuration.connectionPool.idleTimeout = .seconds(4)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return configuration
    }
}

/// One sink's hold on the shared client, taken at its first delivery and given back once.
final class HTTPClientLease: Sendable {
    private enum State {
        case unused
        case held(HTTPClient)
        case over
    }

    private let state = Mutex(State.unused)

    /// The client; nil after ``end()``.
    func client() -> HTTPClient? {
        state.withLock { state in
            switch state {
            case .held(let client): return client
            case .over: return nil
            case .unused:
                let client = SharedHTTPClient.shared.acquire()
                state = .held(client)
                return client
            }
        }
    }

    /// Gives the client back, if it was taken.
    func end() async {
        let wasHeld = state.withLock { state in
            defer { state = .over }
            if case .held = state { return true }
            return false
        }
        if wasHeld { await SharedHTTPClient.shared.release() }
    }
}
