internal import Logging
internal import NIOCore

/// Watches one connection, or one stream of HTTP/2: closes it if its client does not read. Registers a connection with ``Connections``.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private let connections: Connections?
    private let logger: Logger
    private var patience: ReadingPatience
    private var nextLook: Scheduled<Void>?

    /// Watches what it is added to: a connection, or if `connections` is nil a stream.
    init(_ connections: Connections?, readingLimit: Duration, logger: Logger) {
        self.connections = connections
        self.logger = logger
        patience = ReadingPatience(limit: readingLimit, now: .now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections?.opened(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        callOff()
        connections?.closed(context.channel)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        patience.began(now: .now)
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            if self.patience.ended(now: .now) { self.callOff() }
        }
        context.write(data, promise: written)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        // Usually the kernel has taken all bytes by now, and no look is needed.
        if nextLook == nil, patience.isWaiting { look(context) }
    }

    private func callOff() {
        nextLook?.cancel()
        nextLook = nil
    }

    private func look(_ context: ChannelHandlerContext) {
        let left = left(context.channel)
        switch patience.look(left: left, now: .now) {
        case .content: nextLook = nil
        case .again(let pause):
            nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { self.look(context) }
        case .over:
            nextLook = nil
            logger.info(
                "a \(connections == nil ? "stream" : "control connection") was closed: its client does not read",
                metadata: ["after": "\(patience.limit)", "left": "\(left)"])
            context.channel.close(promise: nil)
        }
    }

    /// The bytes that the kernel has not taken. A stream is asked nothing: the library ends the process at an option that it does not
    /// know. ``StreamGuard`` writes to it in small pieces, so that each end of a write tells.
    private func left(_ channel: any Channel) -> Int {
        guard connections != nil else { return 0 }
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
