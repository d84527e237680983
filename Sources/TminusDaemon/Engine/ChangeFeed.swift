internal import Synchronization
internal import TminusCore

/// Tells any number of readers what has changed. One that reads slowly is told that it missed something, and slows nobody down.
final class ChangeFeed: Sendable {
    /// How many batches wait for a reader at the most.
    static let limit = 64

    private typealias Continuation = AsyncStream<Set<DefinitionID>?>.Continuation

    private struct Readers: Sendable {
        var byNumber: [Int: Continuation] = [:]
        var last = 0
        var isFinished = false
    }

    private let readers = Mutex(Readers())

    /// The changes from now on; nil in the place of some that got lost.
    func stream() -> AsyncStream<Set<DefinitionID>?> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Set<DefinitionID>?.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let number = readers.withLock { readers -> Int? in
            guard !readers.isFinished else { return nil }
            readers.last += 1
            readers.byNumber[readers.last] = continuation
            return readers.last
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.readers.withLock { _ = $0.byNumber.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells a batch, which is made only if there is a reader.
    func publish(_ batch: () -> Set<DefinitionID>) {
        let readers = readers.withLock { Array($0.byNumber.values) }
        guard !readers.isEmpty else { return }
        let ids = batch()
        guard !ids.isEmpty else { return }
        for reader in readers {
            // The oldest went, which may have been a nil: so there is one again.
            if case .dropped = reader.yield(ids) { reader.yield(nil) }
        }
    }

    /// Ends all streams.
    func finish() {
        let all = readers.withLock { readers in
            readers.isFinished = true
            defer { readers.byNumber = [:] }
            return Array(readers.byNumber.values)
        }
        for reader in all { reader.finish() }
    }
}
