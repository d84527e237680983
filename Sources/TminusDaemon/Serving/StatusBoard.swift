internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusWatch

/// Where the services leave what is live and what is wrong, for whoever shows it. Nothing of the daemon acts on it.
final class StatusBoard: Sendable {
    /// Asks how the watching goes.
    private let watch: @Sendable () -> WatchStatus
    private let root: String
    private let state = Mutex(State())

    private struct State {
        var load = LoadStatus()
        var store = StoreHealth.works
        var readers: [Int: AsyncStream<LoadStatus>.Continuation] = [:]
        var readerCount = 0
    }

    /// A board for the directory `root` without anything in force.
    init(root: String, watch: @escaping @Sendable () -> WatchStatus) {
        self.root = root
        self.watch = watch
    }

    /// Takes whether the store did what it was asked last.
    func store(_ health: StoreHealth) { state.withLock { $0.store = health } }

    /// What cannot be written, and why; empty while the store works.
    var storeProblems: [String] {
        switch state.withLock(\.store) {
        case .works: []
        case .refusesControls(let reason): ["the last control could not be written: \(reason)"]
        case .refuses(let reason):
            ["the store cannot be written, nothing fires and deliveries wait until it can: \(reason)"]
        }
    }

    /// Takes what is live now.
    func publish(_ status: LoadStatus) {
        let readers = state.withLock { state in
            state.load = status
            return state.readers.values.map(\.self)
        }
        for reader in readers { reader.yield(status) }
    }

    /// What is live now, and then whenever it was taken in anew; a reader that is slow gets the newest.
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

    /// How the watching goes.
    var watchStatus: WatchStatus { watch() }

    /// How much work it was to get here, for the log.
    var figures: Logger.Metadata {
        let watch = watch()
        let load = state.withLock(\.load)
        return [
            "generation": "\(load.generation)", "hash": "\(load.hash ?? "-")", "files.parsed": "\(load.parsedFiles)",
            "watch.reads": "\(watch.reads)", "watch.scans": "\(watch.scans)", "watch.missed": "\(watch.missedChanges)",
        ]
    }

    /// What is live now, in one consistent value.
    func snapshot() -> DaemonStatus {
        // The watch first: what it calls pending may be in force by the time the other is asked, never the other way round.
        let watch = watch()
        return DaemonStatus(root: root, load: state.withLock(\.load), watch: watch)
    }
}
