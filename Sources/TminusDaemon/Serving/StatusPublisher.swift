internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusWatch

/// Publishes what is live and what is wrong, for display only: no service of the daemon acts on it.
final class StatusPublisher: Sendable {
    /// Asks for the state of the watching.
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

    /// Takes whether the store did what it was asked last.
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

    /// Publishes what is live now.
    func publish(_ status: LoadStatus) {
        let readers = state.withLock { state in
            state.load = status
            return state.readers.values.map(\.self)
        }
        for reader in readers { reader.yield(status) }
    }

    /// What is live now and after each change; a slow reader gets the newest only.
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
