internal import NIOCore
internal import TminusCore

/// A client of the event stream. Its queue is bounded: a client that reads too slowly is disconnected.
struct Viewer: Sendable {
    /// The viewer's number, unique in this process.
    let id: UInt64
    /// The way by which it came.
    let door: Door
    /// Where it begins.
    let start: Start
    /// Whether it wants to be told the time.
    let wantsTime: Bool
    /// Whether it may see all of an item and the problems of files, and not only what a reader may.
    let seesAll: Bool
    /// Closes the connection, even during a write.
    let hangUp: @Sendable () -> Void
    /// The bytes to write. Supports one reader.
    let output: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    /// Where the events of a viewer begin.
    enum Start: Sendable, Hashable {
        /// With all items.
        case snapshot
        /// After the event with this id, which an earlier connection received.
        case event(String)
        /// After the event with this id, which was the last one when the items were fetched.
        case items(String)

        /// The id of the event; nil for a snapshot.
        var position: String? {
            switch self {
            case .snapshot: nil
            case .event(let id), .items(let id): id
            }
        }
    }

    /// The most writes that may be queued; each may contain several events.
    static let backlog = 64

    /// Creates a viewer. `left` is called when its output has ended.
    init(
        id: UInt64, door: Door = .socket, start: Start, wantsTime: Bool = false, seesAll: Bool,
        hangUp: @escaping @Sendable () -> Void, left: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.door = door
        self.start = start
        self.wantsTime = wantsTime
        self.seesAll = seesAll
        self.hangUp = hangUp
        (output, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.backlog))
        continuation.onTermination = { _ in left() }
    }

    /// Queues bytes. Returns false if the viewer has left, or was disconnected because it is too slow.
    func send(_ bytes: ByteBuffer) -> Bool {
        switch continuation.yield(bytes) {
        case .enqueued: return true
        case .dropped:
            end()
            hangUp()
            return false
        case .terminated: return false
        @unknown default: return false
        }
    }

    /// Ends the output after the queued bytes.
    func end() { continuation.finish() }
}
