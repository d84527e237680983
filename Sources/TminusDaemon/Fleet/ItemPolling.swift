internal import Hummingbird
internal import NIOCore
internal import TminusControl

/// The event stream of a daemon that stands by: it asks the leader for the items again and again, and sends them all whenever one has
/// changed.
struct ItemPolling: Sendable {
    let forwarder: RequestForwarder

    /// How often the leader is asked.
    private static let interval = Duration.seconds(2)
    /// The most items, because all are sent at once.
    private static let capacity = 2_000

    /// The answer to a request for events. It ends when the leader does not answer any more.
    func response() async throws -> Response {
        let first = try await items()
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                var (items, sent) = (first, String?.none)
                while true {
                    if items != sent {
                        var event = ByteBuffer()
                        event.write("snapshot", id: nil, Array(items.filter { $0 != "\n" }.utf8))
                        try await writer.write(event)
                        sent = items
                    }
                    do {
                        try await Task.sleep(for: Self.interval, clock: .continuous)
                        items = try await self.items()
                    } catch {
                        break
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// All items, as a JSON array.
    private func items() async throws -> String {
        let answer = try await forwarder.answer(
            to: PortableRequest(method: "GET", path: "/items?limit=\(Self.capacity)"))
        guard answer.status == 200 else {
            throw Problem(.unavailable, "the machine that leads has no items now; try again later")
        }
        guard answer.headers["link"] == nil else {
            throw Problem(
                .unavailable, "there are more than \(Self.capacity) items: run the command on the machine that leads")
        }
        return answer.body
    }
}
