internal import Hummingbird
internal import NIOCore
internal import TminusControl

/// The event stream of a daemon that stands by: it asks the leader again and again whether something has changed, and then sends all items.
struct ItemPolling: Sendable {
    let forwarder: RequestForwarder

    /// How often the leader is asked.
    private static let interval = Duration.seconds(2)
    /// The most items, because all are sent at once.
    private static let capacity = 2_000

    /// Items of the leader.
    private struct Page {
        /// A JSON array.
        let items: String
        /// The last change before.
        let position: String?
    }

    /// The answer to a request for events. It ends when the leader does not answer any more, or the connection is closed.
    func response(on channel: any Channel) async throws -> Response {
        let first = try await page(limit: Self.capacity)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                var page = first
                try await writer.write(Self.event(page))
                while channel.isActive {
                    try await Task.sleep(for: Self.interval, clock: .continuous)
                    do {
                        guard try await self.page(limit: 1).position != page.position else { continue }
                        page = try await self.page(limit: Self.capacity)
                    } catch {
                        break
                    }
                    try await writer.write(Self.event(page))
                }
                try await writer.finish(nil)
            })
    }

    /// The first items.
    private func page(limit: Int) async throws -> Page {
        let answer = try await forwarder.answer(
            to: PortableRequest(method: "GET", path: "/items?limit=\(limit)&events=true"))
        guard answer.status == 200 else {
            throw Problem(.unavailable, "the machine that leads has no items now; try again later")
        }
        guard limit < Self.capacity || answer.headers["link"] == nil else {
            throw Problem(
                .unavailable, "there are more than \(Self.capacity) items: run the command on the machine that leads")
        }
        return Page(items: answer.body, position: answer.headers["tminus-event"])
    }

    private static func event(_ page: Page) -> ByteBuffer {
        var event = ByteBuffer()
        event.write("snapshot", id: nil, Array(page.items.utf8.filter { $0 != UInt8(ascii: "\n") }))
        return event
    }
}
