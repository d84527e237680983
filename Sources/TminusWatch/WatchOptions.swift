/// How a directory is watched.
package struct WatchOptions: Sendable, Equatable {
    /// Where hints come from.
    package enum Mode: String, Sendable, CaseIterable {
        /// Notifications where they can be had, else polling.
        case auto
        /// As `auto`, and a warning where they cannot be had.
        case events
        /// Polling only.
        case poll
    }

    /// The largest file that is read if nothing else is said: 1 MiB.
    package static let defaultSizeLimit = 1 << 20

    /// Where hints come from.
    package var mode: Mode
    /// How often to look without notifications.
    package var pollInterval: Duration
    /// How often to look although nothing was notified.
    package var rescanInterval: Duration
    /// How long after notifications were lost, or could not be had, they are tried again.
    package var retryInterval: Duration
    /// The largest file that is read, in bytes.
    package var sizeLimit: Int
    /// How long it must be quiet after the last event of an edit.
    package var quiet: Duration
    /// Whether files that other users can write are read. Those users can then run commands as the user of the daemon.
    package var allowsInsecurePermissions: Bool

    /// Options, by default those of the daemon.
    package init(
        mode: Mode = .auto, pollInterval: Duration = .seconds(2), rescanInterval: Duration = .seconds(30),
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
