internal import NIOCore
internal import NIOHTTP2

/// Limits one connection over HTTP/2, and ends it so that the client knows which requests were not seen (GOAWAY, RFC 9113, section 6.8).
///
/// The first stream must have begun within ``WebLimits/head`` after the handshake, each further one within ``WebLimits/pause`` after
/// the last has ended. The library's own handler for this closes nothing until a PING is answered, so a client that answers none would
/// hold the connection.
final class HTTP2Guard: ChannelInboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let limits: WebLimits
    private var context: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?
    /// The number of open streams, and the last one that began.
    private var (open, last) = (0, HTTP2StreamID.rootStream)
    /// Whether the daemon stops: the connection ends with its streams.
    private var isStopping = false
    /// Whether the library has given the connection up.
    private var isBroken = false

    /// Limits the connection to whose pipeline it is added.
    init(_ limits: WebLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        expect(within: limits.head)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isStopping = true
            if open == 0 { leave() } else { announceEnd(context) }
        // Nobody reads the answers any more.
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Errors of one stream end that stream, which the library has reset. All others end the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isBroken { context.close(promise: nil) }
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .goAway(_, let code, _) = frame.payload, code != .noError { isBroken = true }
    }

    private func began(_ id: HTTP2StreamID) {
        (open, last) = (open + 1, id)
        deadline?.cancel()
    }

    private func ended() {
        open -= 1
        guard open == 0 else { return }
        guard isStopping else { return expect(within: limits.pause) }
        // Not before what the stream has written last is on its way.
        context?.eventLoop.assumeIsolated().execute { self.leave() }
    }

    /// Ends the connection unless a stream begins in time.
    private func expect(within limit: Duration) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
            self.limits.figures.refused(.slow)
            self.leave()
        }
    }

    private func leave() {
        guard let context else { return }
        announceEnd(context)
        context.close(promise: nil)
    }

    private func announceEnd(_ context: ChannelHandlerContext) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }
}

extension HTTP2Guard {
    /// Tells it of the streams.
    func streamDelegate(on loop: any EventLoop) -> some NIOHTTP2StreamDelegate {
        Delegate(guardian: NIOLoopBound(self, eventLoop: loop))
    }

    /// Called on the event loop of the connection.
    private struct Delegate: NIOHTTP2StreamDelegate {
        let guardian: NIOLoopBound<HTTP2Guard>

        func streamCreated(_ id: HTTP2StreamID, channel: any Channel) { guardian.value.began(id) }
        func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { guardian.value.ended() }
    }
}
