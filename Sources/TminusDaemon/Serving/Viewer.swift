internal import NIOCore

/// Somebody who follows the changes. What waits for one who reads slowly is bounded; then the connection ends.
struct Viewer: Sendable {
    /// Tells viewers apart.
    let id: UInt64
    /// The id of the last event that a former connection got.
    let lastEvent: String?
    /// Ends the connection, also while something is being written to it.
    let hangUp: @Sendable () -> Void
    /// What is to be written. One reader.
    let output: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    /// So many writes may wait; each may be of several events.
    static let backlog = 64

    /// A viewer that has got nothing yet. `left` is called when its output has ended.
    init(
        id: UInt64, lastEvent: String?, hangUp: @escaping @Sendable () -> Void, left: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.lastEvent = lastEvent
        self.hangUp = hangUp
        (output, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.backlog))
        continuation.onTermination = { _ in left() }
    }

    /// Hands over bytes; false if the viewer is gone, or too slow and therefore dropped.
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

    /// Lets it read what waits, and ends.
    func end() { continuation.finish() }
}
