package import TminusCore

/// The state of a watcher, for `status`, metrics and tests.
package struct WatchStatus: Sendable, Equatable {
    /// Where hints come from now.
    package enum Mode: Sendable, Equatable {
        /// Not started, or stopped.
        case off
        /// Notifications, and a slow rescan.
        case events
        /// Polling, and why; nil if it was requested.
        case polling(reason: String?)
    }

    /// Where hints come from now.
    package var mode: Mode = .off
    /// The number of notifications, without those of other files.
    package var events = 0
    /// Why the directory is listed.
    package enum ScanCause: String, Sendable, CaseIterable {
        /// A notification, or a file that was not stable yet.
        case change
        /// The time since the last scan.
        case timer
        /// Somebody asked for it.
        case request
    }

    /// The number of scans by their causes.
    package var scansByCause: [ScanCause: Int] = [:]
    /// The number of scans.
    package var scans: Int { scansByCause.values.reduce(0, +) }
    /// The number of reloads that have been carried out on request.
    package var reloads = 0
    /// The number of reads of files.
    package var reads = 0
    /// How many times all watches were recreated.
    package var resets = 0
    /// The number of overflows of the kernel's queue.
    package var overflows = 0
    /// The number of changed files that a timed rescan found without a notification; 0 while polling.
    package var missedChanges = 0
    /// The number of contents that were emitted.
    package var emissions = 0
    /// What the last scan did not read because of its name or place.
    package var ignored = IgnoredEntries()
    /// The sorted paths of files with a change that is not stable, in the form of ``SourceFile/path``.
    package var pending: [String] = []

    /// The status of a watcher that has not started.
    package init() {}
}
