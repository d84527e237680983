/// What the service manager tells a service by its environment.
package struct ServiceEnvironment: Sendable, Hashable {
    /// How far a unit restricts the commands of hooks: the variable `TMINUS_PROFILE`, which the units of the package set.
    package enum Profile: String, Sendable {
        /// The unit as installed, which forbids commands many system calls.
        case strict
        /// The unit with the drop-in for commands.
        case commands
    }

    /// The socket for notifications (sd_notify(3)); nil: nobody wants them.
    package var notifySocket: String?
    /// How long this process may stay silent before it is killed (sd_watchdog_enabled(3)); nil: forever.
    package var watchdogLimit: Duration?
    /// The profile of the unit; nil outside a unit of the package.
    package var profile: Profile?

    /// Reads an environment on behalf of the process with that id.
    ///
    /// A watchdog that is meant for another process, or whose limit is no number, is none.
    package init(_ environment: [String: String], process: Int32) {
        notifySocket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        profile = environment["TMINUS_PROFILE"].flatMap(Profile.init(rawValue:))
        let owner = environment["WATCHDOG_PID"]
        guard notifySocket != nil, owner == nil || owner == String(process),
            let limit = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), limit > 0
        else { return }
        watchdogLimit = .microseconds(limit)
    }

    /// An environment without a service manager.
    package init() {}
}
