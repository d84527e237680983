package import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

extension HTTPClient.Configuration {
    /// The standard configuration, protected against responses that trap inside the client library.
    package static var checked: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // In HTTP/2 the library converts the status by `UInt(_:)`, which traps if the server sends a negative number.
        configuration.httpVersion = .http1Only
        // The library's only way to add a handler to its connections. It is called in the channel's event loop.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(StatusCheck(), position: .after(decoder))
            }
        }
        return configuration
    }
}
