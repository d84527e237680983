internal import NIOCore
internal import NIOHTTP1

/// The error of a request whose response has a status below 100, which HTTP does not allow (RFC 9110, section 15).
package struct InvalidHTTPStatus: Error, Hashable {
    package init() {}
}

/// Fails a request whose response has a status below 100.
///
/// The client library ignores the head of such a response, as it does with informational responses. Then it traps at
/// the body or at the end of the response, because it has seen no head.
final class StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            hasFailed = true
            // The client fails the request with this error and closes the connection.
            context.fireErrorCaught(InvalidHTTPStatus())
        } else {
            context.fireChannelRead(data)
        }
    }
}
