package import TminusCore

/// How the watching goes, for `status`, metrics and tests.
package struct WatchStatus: Sendable, Equatable {
    /// Where hints come from now.
    package enum Mode: Sendable, Equatable {
        /// Not started, or stopped.
        case off
        /// Notifications, and a slow rescan.
        case events
        /// Polling, and why; nil: because it was asked for.
        case polling(reason: String?)
    }

    /// Where hints come from now.
    package var mode: Mode = .off
    /// How many notifications came in, those about other files not counted.
    package var events = 0
    /// How often the tree was listed.
    package var scans = 0
    /// How often all was read again because somebody asked for it, to the end.
    package var reloads = 0
    /// How often a file was opened.
    package var reads = 0
    /// How often all watches were made anew.
    package var resets = 0
    /// How often the kernel's queue overflowed.
    package var overflows = 0
    /// How many changed files a timed rescan found that no notification had told of; 0 while polling.
    package var missedChanges = 0
    /// How many values were handed out.
    package var emissions = 0
    /// What the last scan did not read because of its name or place.
    package var ignored = IgnoredEntries()
    /// The paths below the root of files with a change that is not stable yet, as ``SourceFile/path``, in their order.
    package var pending: [String] = []

    /// Of a watcher that has not begun.
    package init() {}
}
