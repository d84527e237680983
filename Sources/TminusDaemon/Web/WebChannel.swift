internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP2
internal import NIOHTTPTypesHTTP2
internal import NIOSSL

/// A connection to a door over TCP, and the place where its protocol is chosen: HTTP/1.1, or with TLS what the client prefers of HTTP/2
/// and HTTP/1.1 (ALPN, RFC 7301). The requests of both reach the same responder.
///
/// Not `HummingbirdHTTP2`: its certificate cannot be exchanged, and it ends a connection after three PINGs that came within 30 s of
/// another. Browsers send one when they are about to use a connection again.
struct WebChannel: ServerChildChannel {
    /// What carries requests: a connection over HTTP/1.1, or one stream over HTTP/2.
    typealias Carrier = HTTP1Channel.Value
    /// The streams of a connection over HTTP/2.
    typealias Streams = NIOHTTP2Handler.AsyncStreamMultiplexer<Carrier>
    /// What the client has chosen, once it has.
    typealias Choice = EventLoopFuture<NIONegotiatedHTTPVersion<Carrier, Streams>>

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let choice: Choice
    }

    /// Speaks HTTP/1.1, and answers the requests of both.
    let http1: HTTP1Channel
    /// The certificate for TLS; nil: plain HTTP.
    let certificates: Certificates?
    let limits: WebLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ConnectionCount(limits))
            try pipeline.addHandler(watch(limits.connections))
            if let certificates { try pipeline.addHandler(NIOSSLServerHandler(context: certificates.current)) }
        }.flatMap { () -> EventLoopFuture<Choice> in
            guard certificates != nil else {
                return http1.setup(channel: channel, logger: logger).map {
                    channel.eventLoop.makeSucceededFuture(.http1_1($0))
                }
            }
            return channel.configureHTTP2AsyncSecureUpgrade(
                http1ConnectionInitializer: { http1.setup(channel: $0, logger: logger) },
                http2ConnectionInitializer: { streams(of: $0) }
            ).map { choice in
                expect(choice, on: channel)
                return choice
            }
        }.map { Value(channel: channel, choice: $0) }
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.choice.get() {
        case .http1_1(let connection): await http1.handle(value: connection, logger: logger)
        case .http2(let streams):
            await withDiscardingTaskGroup { group in
                do {
                    for try await stream in streams.inbound {
                        group.addTask { await http1.handle(value: stream, logger: logger) }
                    }
                } catch {
                    logger.trace("a connection over HTTP/2 ended: \(error)")
                }
            }
        // It closed before.
        case nil: break
        }
    }

    /// Closes a connection whose handshake takes too long.
    private func expect(_ choice: Choice, on channel: any Channel) {
        let figures = limits.figures
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.head)) {
            figures.refused(.slow)
            channel.close(promise: nil)
        }
        choice.whenComplete { _ in deadline.cancel() }
    }

    private func streams(of channel: any Channel) -> EventLoopFuture<Streams> {
        channel.eventLoop.makeCompletedFuture {
            let guardian = HTTP2Guard(limits)
            let streams = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .server, streamDelegate: guardian.streamDelegate(on: channel.eventLoop), frameDelegate: guardian,
                configuration: Self.configuration
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(watch(nil))
                    try pipeline.addHandler(StreamGuard(limits))
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    return try Carrier(
                        wrappingChannelSynchronously: stream, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
            try channel.pipeline.syncOperations.addHandler(guardian)
            return streams
        }
    }

    private func watch(_ connections: Connections?) -> ConnectionWatch {
        ConnectionWatch(connections, readingLimit: limits.reading, logger: limits.logger)
    }

    /// What the library limits by itself besides: 200 PINGs, settings, resets or damaged streams in 30 s.
    private static let configuration: NIOHTTP2Handler.Configuration = {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: WebLimits.streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: WebLimits.headerBytes),
        ]
        return configuration
    }()
}
