internal import Synchronization
internal import TminusCore

/// Notifies the loader when time zones have changed. It checks only when the process is awake anyway.
final class ZoneWatch: Sendable {
    private let zones: any ZoneDatabase
    private let loader: Mailbox<LoaderInput>
    private let revision = Mutex<Int?>(nil)

    /// A watch that has not checked yet.
    init(_ zones: any ZoneDatabase, loader: Mailbox<LoaderInput>) {
        self.zones = zones
        self.loader = loader
    }

    /// Checks, with a few calls of stat(2).
    func look() {
        let current = zones.revision
        let isOther = revision.withLock { last in
            defer { last = current }
            return last != current
        }
        if isOther { loader.send(.zones) }
    }
}
