internal import Logging
internal import Synchronization
internal import TminusWatch

/// Where the loader leaves what is live, for whoever shows it. Nothing of the daemon acts on it.
final class StatusBoard: Sendable {
    /// Asks how the watching goes.
    private let watch: @Sendable () -> WatchStatus
    private let root: String
    private let state = Mutex(LoadStatus())

    /// A board for the directory `root` without anything in force.
    init(root: String, watch: @escaping @Sendable () -> WatchStatus) {
        self.root = root
        self.watch = watch
    }

    /// Takes what is live now.
    func publish(_ status: LoadStatus) {
        state.withLock { $0 = status }
    }

    /// How much work it was to get here, for the log.
    var figures: Logger.Metadata {
        let watch = watch()
        let load = state.withLock { $0 }
        return [
            "generation": "\(load.generation)", "hash": "\(load.hash ?? "-")", "files.parsed": "\(load.parsedFiles)",
            "watch.reads": "\(watch.reads)", "watch.scans": "\(watch.scans)", "watch.missed": "\(watch.missedChanges)",
        ]
    }

    /// What is live now, in one consistent value.
    func snapshot() -> DaemonStatus {
        // The watch first: what it calls pending may be in force by the time the other is asked, never the other way round.
        let watch = watch()
        return DaemonStatus(root: root, load: state.withLock { $0 }, watch: watch)
    }
}
