internal import Synchronization
internal import TminusCore

/// Looks whether time zones have changed, whenever somebody is awake anyway, and tells the loader.
final class ZoneWatch: Sendable {
    private let zones: any ZoneDatabase
    private let loader: Mailbox<LoaderInput>
    private let revision = Mutex<Int?>(nil)

    /// A watch that has not looked yet.
    init(_ zones: any ZoneDatabase, loader: Mailbox<LoaderInput>) {
        self.zones = zones
        self.loader = loader
    }

    /// Looks. Takes a few calls of stat(2).
    func look() {
        let current = zones.revision
        let isOther = revision.withLock { last in
            defer { last = current }
            return last != current
        }
        if isOther { loader.send(.zones) }
    }
}
