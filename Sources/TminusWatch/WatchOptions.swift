/// How a directory is watched.
package struct WatchOptions: Sendable, Equatable {
    /// Where hints come from.
    package enum Mode: String, Sendable, CaseIterable {
        /// Notifications if they are available, otherwise polling.
        case auto
        /// Like `auto`, with a warning if they are not available.
        case events
        /// Polling only.
        case poll
    }

    /// The largest file that is read by default: 1 MiB.
    package static let defaultSizeLimit = 1 << 20

    /// Where hints come from.
    package var mode: Mode
    /// How often to scan without notifications.
    package var pollInterval: Duration
    /// How often to scan although no notification came. Each scan wakes an idle daemon; nothing else does.
    package var rescanInterval: Duration
    /// How long to wait before trying notifications again after a failure.
    package var retryInterval: Duration
    /// The largest file that is read, in bytes.
    package var sizeLimit: Int
    /// How long no event may come before an edit counts as complete.
    package var quiet: Duration
    /// Whether to read files that other users can write. Those users can then run commands as the user of the daemon.
    package var allowsInsecurePermissions: Bool

    /// Options; the defaults are those of the daemon.
    package init(
        mode: Mode = .auto, pollInterval: Duration = .seconds(2), rescanInterval: Duration = .seconds(60),
        retryInterval: Duration = .seconds(60), sizeLimit: Int = defaultSizeLimit, quiet: Duration = .milliseconds(50),
        allowsInsecurePermissions: Bool = false
    ) {
        self.mode = mode
        self.pollInterval = pollInterval
        self.rescanInterval = rescanInterval
        self.retryInterval = retryInterval
        self.sizeLimit = sizeLimit
        self.quiet = quiet
        self.allowsInsecurePermissions = allowsInsecurePermissions
    }
}
