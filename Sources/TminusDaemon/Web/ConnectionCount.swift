internal import NIOCore

/// Counts one connection over TCP, and closes it if there are too many.
final class ConnectionCount: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let doors: WebDoors
    private let figures: WebFigures
    private var isCounted = false

    /// Counts the connection to whose pipeline it is added.
    init(_ limits: WebLimits) {
        (doors, figures) = (limits.doors, limits.figures)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isCounted = doors.enter()
        guard !isCounted else { return }
        figures.refused(.full)
        context.channel.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isCounted { doors.leave() }
        isCounted = false
    }
}
