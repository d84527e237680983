internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import TminusControl
internal import TminusCore

/// The route of the event stream.
extension ControlAPI {
    /// Registers the route.
    func addEvents(to routes: inout ControlRoutes) {
        routes.add("/events", [.get: { request, context in try stream(request, context) }], level: .read)
    }

    private func stream(_ request: Request, _ context: ControlContext) throws -> Response {
        // As a word alone, or with a value.
        let wantsTime = try request.parameter("clock") == "" || request.flag("clock")
        let id = UInt64.random(in: 0 ... .max)
        let channel = context.channel
        let (hub, clock, version, access) = (hub, clock, facts.version, context.access)
        let viewer = Viewer(
            id: id, door: context.door, start: request.eventStart, wantsTime: wantsTime,
            seesAll: access.seesAll,
            hangUp: {
                hub.viewerDropped()
                channel.close(promise: nil)
            }, left: { hub.inbox.send(.left(id)) })
        var response = Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                if wantsTime {
                    try await writer.write(ServerEvent.hello(version: version, level: access.level, now: clock.now))
                }
                // Not only with the next write, which may be days away: a stream of HTTP/2 is closed easily and often.
                channel.closeFuture.whenComplete { _ in viewer.end() }
                // Join only when the body is written, so a response that is never written does not count as a viewer.
                hub.join(viewer)
                for await bytes in viewer.output { try await writer.write(bytes) }
                try await writer.finish(nil)
            })
        // Otherwise nginx holds events back until they fill a buffer.
        if let buffering = HTTPField.Name("X-Accel-Buffering") { response.headers[buffering] = "no" }
        return response
    }
}

extension Request {
    /// Where the stream begins. The header comes first: a browser sends it when it connects again, to the same URL.
    fileprivate var eventStart: Viewer.Start {
        if let last = HTTPField.Name("Last-Event-ID").flatMap({ headers[$0] }) { return .event(last) }
        return parameter("after").map { .items($0) } ?? .snapshot
    }
}
