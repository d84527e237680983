internal import Logging
internal import Synchronization
internal import TminusWatch

/// Who writes to the store, and what cannot be done while that fails.
enum StoreUser: String, Sendable, Hashable, CaseIterable {
    /// The scheduler, for a person whom it refused something.
    case controls = "what people asked last cannot be written"
    /// The scheduler.
    case schedule = "the schedule cannot be written, nothing fires until it can"
    /// The dispatcher.
    case deliveries = "deliveries wait for the store"
}

/// Where the services leave what is live and what is wrong, for whoever shows it. Nothing of the daemon acts on it.
final class StatusBoard: Sendable {
    /// Asks how the watching goes.
    private let watch: @Sendable () -> WatchStatus
    private let root: String
    private let state = Mutex(State())

    private struct State {
        var load = LoadStatus()
        var refusals: [StoreUser: String] = [:]
        var readers: [Int: AsyncStream<LoadStatus>.Continuation] = [:]
        var readerCount = 0
    }

    /// A board for the directory `root` without anything in force.
    init(root: String, watch: @escaping @Sendable () -> WatchStatus) {
        self.root = root
        self.watch = watch
    }

    /// Takes what the store said when it was last written; nil: it did what it was asked.
    func store(refused reason: String?, to user: StoreUser) {
        state.withLock { $0.refusals[user] = reason }
    }

    /// What cannot be written, and why; empty while the store works.
    var storeProblems: [String] {
        let refusals = state.withLock(\.refusals)
        return StoreUser.allCases.compactMap { user in refusals[user].map { "\(user.rawValue): \($0)" } }
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
