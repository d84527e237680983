internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Limits one connection over TCP: it is closed if there are too many, and if the headers of a request take too long.
///
/// The first request must have come within ``headLimit`` after the connection opened, each further one within
/// ``pauseLimit`` after the last answer. So a client that sends a byte now and then holds no connection for long.
final class WebGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let doors: WebDoors
    private let headLimit: TimeAmount
    private let pauseLimit: TimeAmount
    private let figures: WebFigures
    private var deadline: Scheduled<Void>?
    private var isCounted = false

    /// Limits the connection to whose pipeline it is added.
    init(_ doors: WebDoors, headLimit: Duration, pauseLimit: Duration, _ figures: WebFigures) {
        self.doors = doors
        self.headLimit = TimeAmount(headLimit)
        self.pauseLimit = TimeAmount(pauseLimit)
        self.figures = figures
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isCounted = doors.enter()
        guard isCounted else {
            figures.refused(.full)
            return context.channel.close(promise: nil)
        }
        expect(within: headLimit, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        if isCounted { doors.leave() }
        isCounted = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { deadline?.cancel() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { expect(within: pauseLimit, context) }
        context.write(data, promise: promise)
    }

    /// Closes the connection unless the headers of a request come in time.
    private func expect(within limit: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            self.figures.refused(.slow)
            let head = HTTPResponse(
                status: .requestTimeout, headerFields: [.connection: "close", .contentLength: "0"])
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
            context.channel.close(promise: nil)
        }
    }
}
