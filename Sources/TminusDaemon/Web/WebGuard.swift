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
    /// The requests that are not answered yet: a client may send several at once.
    private var underWay = 0
    /// When the headers of a request must have come; nil while one is answered.
    private var deadline: NIODeadline?
    /// Checks the deadline. A request does not cancel it: a check that finds nothing costs less than a cancel and a new task.
    private var look: (at: NIODeadline, task: Scheduled<Void>)?

    /// Limits the connection to whose pipeline it is added.
    init(_ limits: WebLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) { expect(within: limits.head, context) }

    func handlerRemoved(context: ChannelHandlerContext) { look?.task.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { (underWay, deadline) = (underWay + 1, nil) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            // The library also answers input that is not HTTP. No request was counted for it.
            underWay = max(0, underWay - 1)
            if underWay == 0 { expect(within: limits.pause, context) }
        }
        context.write(data, promise: promise)
    }

    /// Closes the connection unless the headers of a request come in time.
    private func expect(within limit: Duration, _ context: ChannelHandlerContext) {
        let deadline = NIODeadline.now() + TimeAmount(limit)
        self.deadline = deadline
        if let look, look.at <= deadline { return }
        look?.task.cancel()
        look(at: deadline, context)
    }

    private func look(at instant: NIODeadline, _ context: ChannelHandlerContext) {
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: instant) {
            self.look = nil
            guard let deadline = self.deadline else { return }
            if deadline > .now() { self.look(at: deadline, context) } else { self.close(context) }
        }
        look = (instant, task)
    }

    private func close(_ context: ChannelHandlerContext) {
        limits.figures.refused(.slow)
        let head = HTTPResponse(status: .requestTimeout, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.channel.close(promise: nil)
    }
}
