/// A change that the daemon sends to its viewers.
package enum ControlEvent: Sendable, Hashable {
    /// All items, which replace everything received before.
    case snapshot(ItemList)
    /// A new or changed item.
    case item(Item)
    /// A new or changed item that cannot be read.
    case unreadable(ItemList.Unreadable)
    /// The problems of the directory and its files, one line each, which replace those received before.
    case problems([String])
    /// The item with this id no longer exists.
    case removed(String)
}

/// The stream of changes. Each comes with an event id, from which a new stream can resume.
package struct ControlEvents: AsyncSequence, Sendable {
    /// A change and its event id.
    package typealias Element = (id: String, event: ControlEvent)

    /// The client to connect with.
    let client: ControlClient
    /// The id of the last event received before.
    let lastEvent: String?

    /// Reads the stream; connects on the first read.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let client: ControlClient
        private let lastEvent: String?
        private var body: HTTPBody?
        private var reader = EventReader()

        init(_ events: ControlEvents) {
            client = events.client
            lastEvent = events.lastEvent
        }

        /// Returns the next change, nil once the daemon has ended the stream. Throws ``ControlFailure``.
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

    /// Creates an iterator, which opens a connection of its own.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension ControlClient {
    /// Returns the changes from now on, or after the event with id `lastEvent`. The stream begins with a snapshot
    /// unless the daemon still has every event since then.
    package func events(after lastEvent: String? = nil) -> ControlEvents {
        ControlEvents(client: self, lastEvent: lastEvent)
    }
}
