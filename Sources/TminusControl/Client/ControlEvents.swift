/// A change that the daemon tells its viewers.
package enum ControlEvent: Sendable, Hashable {
    /// All items, in the place of all that was known.
    case snapshot(ItemList)
    /// An item that is new, or another than before.
    case item(Item)
    /// An item that is new, or another than before, and cannot be read.
    case unreadable(ItemList.Unreadable)
    /// There is no item of that id any more.
    case removed(String)
}

/// The stream of changes, with the id to go on from after an interruption.
package struct ControlEvents: AsyncSequence, Sendable {
    /// A change and its id.
    package typealias Element = (id: String, event: ControlEvent)

    let client: ControlClient
    let lastEvent: String?

    /// Reads the stream.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let client: ControlClient
        private let lastEvent: String?
        private var body: HTTPBody?
        private var reader = EventReader()

        init(_ events: ControlEvents) {
            client = events.client
            lastEvent = events.lastEvent
        }

        /// The next change; nil when the daemon has ended the stream. Errors: ``ControlFailure``.
        @concurrent package mutating func next() async throws -> Element? {
            if body == nil {
                body = HTTPBody(try await client.open("/events", lastEvent: lastEvent))
            }
            while true {
                if let event = try reader.next() { return event }
                do {
                    guard let bytes = try await body?.next() else { return nil }
                    reader.add(bytes)
                } catch {
                    throw client.failure(error)
                }
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension ControlClient {
    /// What changes, from now on or after the event of that id. It begins with a snapshot unless all since then is known.
    package func events(after lastEvent: String? = nil) -> ControlEvents {
        ControlEvents(client: self, lastEvent: lastEvent)
    }
}
