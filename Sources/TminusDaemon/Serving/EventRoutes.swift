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
        routes.add("/events", [.get: { request, context in stream(request, context) }], level: .read)
    }

    private func stream(_ request: Request, _ context: ControlContext) -> Response {
        let id = UInt64.random(in: 0 ... .max)
        let channel = context.channel
        let (hub, inbox) = (hub, hub.inbox)
        let viewer = Viewer(
            id: id, lastEvent: HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] },
            hangUp: {
                hub.viewerDropped()
                channel.close(promise: nil)
            }, left: { inbox.send(.left(id)) })
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // Join only when the body is written, so a response that is never written does not count as a viewer.
                inbox.send(.joined(viewer))
                for await bytes in viewer.output { try await writer.write(bytes) }
                try await writer.finish(nil)
            })
    }
}
