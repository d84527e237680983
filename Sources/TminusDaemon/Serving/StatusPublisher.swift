internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusWatch

/// Publishes what is in force and what is wrong. For display only: no service of the daemon acts on it.
final class StatusPublisher: Sendable {
    /// Returns the state of the watching.
    private let watch: @Sendable () -> WatchStatus
    private let state = Mutex(State())

    private struct State {
        var load = LoadStatus()
        var store = StoreHealth.works
        var readers: [Int: AsyncStream<LoadStatus>.Continuation] = [:]
        var readerCount = 0
    }

    /// A publisher with nothing in force.
    init(watch: @escaping @Sendable () -> WatchStatus) {
        self.watch = watch
    }

    /// Records whether the store accepts writes.
    func store(_ health: StoreHealth) { state.withLock { $0.store = health } }

    /// The refused kinds of writes, with reasons; empty while the store works.
    var storeProblems: [String] {
        switch state.withLock(\.store) {
        case .works: []
        case .refusesControls(let reason): ["the last control could not be written: \(reason)"]
        case .refuses(let reason):
            ["the store cannot be written, nothing fires and deliveries wait until it can: \(reason)"]
        }
    }

    /// Publishes what is in force now.
    func publish(_ status: LoadStatus) {
        let readers = state.withLock { state in
            state.load = status
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(status) }
    }

    /// What is in force now and after each change; a slow reader gets only the newest.
    var updates: AsyncStream<LoadStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: LoadStatus.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.readerCount += 1
            state.readers[state.readerCount] = continuation
            continuation.yield(state.load)
            return state.readerCount
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    /// The state of the watching.
    var watchStatus: WatchStatus { watch() }

    /// The work since the start, for the log.
    var figures: Logger.Metadata {
        let (watch, load) = (watch(), load)
        return [
            "generation": "\(load.generation)", "hash": "\(load.hash ?? "-")", "files.parsed": "\(load.parsedFiles)",
            "watch.reads": "\(watch.reads)", "watch.scans": "\(watch.scans)", "watch.missed": "\(watch.missedChanges)",
        ]
    }

    /// What is in force.
    var load: LoadStatus { state.withLock(\.load) }
}
