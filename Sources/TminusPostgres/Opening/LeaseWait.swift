import Dispatch
import Synchronization
import TminusCore

/// The wait of a store, at its start, for the lease that another daemon holds.
package final class LeaseWait: Sendable {
    /// What happens meanwhile.
    package enum News: Sendable, Hashable {
        /// Another daemon holds the lease: its host and its process.
        case held(by: String)
        /// The database does not answer, or cannot be used now. The message says why.
        case unreachable(String)
        /// The zone data of this machine is older than that by which the files in force were read: another machine goes first.
        case olderZoneData(String, than: String)
    }

    /// Whether it waits for as long as the other daemon lives, also while the database does not answer. Else it gives up once
    /// that one has renewed its lease.
    let isEndless: Bool
    /// The version of the zone data of this machine, such as `2025b`; nil if unknown.
    let zoneData: @Sendable () -> String?
    private let tell: @Sendable (News) -> Void
    private let last = Mutex<News?>(nil)
    private let isCancelled = Mutex(false)
    private let bell = DispatchSemaphore(value: 0)

    // The next try while nothing says when a lease may be taken.
    private static let interval = Duration.milliseconds(250)
    // A leader that ends in order wakes the others. This is for those who do not hear it.
    private static let patience = Duration.seconds(3)

    /// A wait that has not begun.
    ///
    /// - Parameter tell: Gets each change of what happens, and not each try. Called on the thread that waits.
    package init(
        isEndless: Bool = false, zoneData: @escaping @Sendable () -> String? = { nil },
        tell: @escaping @Sendable (News) -> Void = { _ in }
    ) {
        self.isEndless = isEndless
        self.zoneData = zoneData
        self.tell = tell
    }

    /// Ends the wait. The store then takes no lease, unless that is under way already.
    package func cancel() {
        isCancelled.withLock { $0 = true }
        bell.signal()
    }

    /// Throws if the wait was cancelled.
    func requireGoing() throws {
        if isCancelled.withLock(\.self) { throw CancellationError() }
    }

    /// Ends a pause, because the leader has ended.
    package func wake() { bell.signal() }

    /// Waits until it is time for the next try.
    ///
    /// - Parameter rest: How long the lease of the other daemon goes on, unless it is renewed; nil or not positive if it is over.
    func pause(_ rest: Duration? = nil) throws {
        var pause = Self.interval
        // A wait that is not endless lasts for one renewal only.
        if isEndless, let rest, rest > .zero { pause = min(rest + .milliseconds(50), Self.patience) }
        _ = bell.wait(timeout: .now() + .milliseconds(Int(clamping: pause.milliseconds)))
        try requireGoing()
    }

    /// Tells what happens, if that is new. Another reason for the same trouble is not.
    func note(_ news: News) {
        let isNew = last.withLock { last in
            defer { last = news }
            if case .unreachable = news, case .unreachable = last { return false }
            return last != news
        }
        if isNew { tell(news) }
    }
}
