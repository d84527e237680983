internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Limits one connection over HTTP/1.1: it is closed if the headers of a request take too long.
///
/// The first request must have come within ``WebLimits/head`` after the connection opened, each further one within
/// ``WebLimits/pause`` after the last answer. So a client that sends a byte now and then holds no connection for long.
final class WebGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: WebLimits
    private var deadline: Scheduled<Void>?

    /// Limits the connection to whose pipeline it is added.
    init(_ limits: WebLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) { expect(within: limits.head, context) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { deadline?.cancel() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { expect(within: limits.pause, context) }
        context.write(data, promise: promise)
    }

    /// Closes the connection unless the headers of a request come in time.
    private func expect(within limit: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
            self.limits.figures.refused(.slow)
            let head = HTTPResponse(
                status: .requestTimeout, headerFields: [.connection: "close", .contentLength: "0"])
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
            context.channel.close(promise: nil)
        }
    }
}
