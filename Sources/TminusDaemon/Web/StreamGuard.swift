internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// Limits one stream of HTTP/2, which carries one request, and hides from the routes where it differs from HTTP/1.1.
final class StreamGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum Request {
        case expected, begun, whole, refused
    }

    private let doors: WebDoors
    private let figures: WebFigures
    private var request = Request.expected
    private var isCounted = false

    /// The most bytes that are written at once, so that ``ConnectionWatch`` sees a slow client read a large answer.
    private static let piece = 16 << 10

    /// Limits the stream to whose pipeline it is added.
    init(_ limits: WebLimits) {
        (doors, figures) = (limits.doors, limits.figures)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isCounted { doors.endStream() }
        isCounted = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), request) {
        case (.headers(let head), .expected): begin(head, context)
        case (.headers(let part), .begun): pass(data, isLast: part.endStream, context)
        case (.data(let part), .begun): pass(data, isLast: part.endStream, context)
        default: break
        }
    }

    /// A connection that ends closes its streams as if they were complete. A body that is cut off must not count as a whole one.
    func channelInactive(context: ChannelHandlerContext) {
        if request == .begun { context.fireErrorCaught(ChannelError.eof) }
        context.fireChannelInactive()
    }

    /// Why ever a stream ends: for the routes its client has gone.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.fireErrorCaught(ChannelError.eof) }

    private func begin(_ head: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        isCounted = doors.beginStream()
        guard isCounted else {
            figures.refused(.full)
            return refuse(.refusedStream, context)
        }
        guard head.headers.count <= WebLimits.headerCount else { return refuse(.enhanceYourCalm, context) }
        var head = head
        if !head.endStream, !head.headers.contains(name: "content-length") {
            // The routes know by one of these two fields that there is a body, as in HTTP/1.1. No client can have sent this one.
            head.headers.add(name: "transfer-encoding", value: "chunked")
        }
        pass(wrapInboundOut(.headers(head)), isLast: head.endStream, context)
    }

    private func pass(_ data: NIOAny, isLast: Bool, _ context: ChannelHandlerContext) {
        request = isLast ? .whole : .begun
        context.fireChannelRead(data)
    }

    private func refuse(_ code: HTTP2ErrorCode, _ context: ChannelHandlerContext) {
        request = .refused
        context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .headers(var head):
            // Only a connection over HTTP/1.1 ends with an answer.
            head.headers.remove(name: "connection")
            write(.headers(head), isLast: head.endStream, context, promise)
        case .data(var part):
            if case .byteBuffer(var bytes) = part.data {
                while bytes.readableBytes > Self.piece, let first = bytes.readSlice(length: Self.piece) {
                    context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(first)))), promise: nil)
                }
                part.data = .byteBuffer(bytes)
            }
            write(.data(part), isLast: part.endStream, context, promise)
        default: context.write(data, promise: promise)
        }
    }

    /// Writes a part of the answer. After the last part, the rest of the request is refused (RFC 9113, section 8.1).
    private func write(
        _ part: HTTP2Frame.FramePayload, isLast: Bool, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        guard isLast, request == .begun else { return context.write(wrapOutboundOut(part), promise: promise) }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess {
            if self.request == .begun { self.refuse(.noError, context) }
        }
        context.write(wrapOutboundOut(part), promise: written)
    }
}
