internal import TminusSystem

/// The paths of the control socket.
package enum ControlSocketPath {
    private static let name = "control.sock"

    /// The paths at which a daemon may create it, preferred first.
    static func candidates(_ paths: MachinePaths, _ stateDirectory: String) -> [String] {
        [paths.runtimeDirectory, stateDirectory].compactMap(\.self).map { "\($0)/\(name)" }
    }

    /// The path at which a client finds it: the given one, or the one that the daemon of the state directory has recorded.
    ///
    /// A given state directory means only its daemon. Options win over `TMINUS_SOCKET` and `TMINUS_STATE`. With none of
    /// them, it is the daemon of the standard state directory, else the first standard path at which a daemon answers
    /// this user, else one that this user may not use; those of a system service come last.
    ///
    /// - Throws: An error of the kind ``DaemonError/Kind/standsBy`` if that daemon stands by and has no socket.
    package static func ofDaemon(socket: String?, state: String?) throws(DaemonError) -> String {
        let path = try expected(socket: socket, state: state)
        if let standby = standby(socket: socket, state: state), standby.socket == nil {
            throw DaemonError(.standsBy, standby.refusal)
        }
        return path
    }

    /// The same, also for a daemon that stands by and has no socket: the path is then one at which nobody answers.
    package static func expected(socket: String?, state: String?) throws(DaemonError) -> String {
        for (name, value) in [("--socket", socket), ("--state", state)] where value == "" {
            throw DaemonError(.usage, "\(name) must not be empty")
        }
        return path(Choice(socket, state, MachinePaths(environment: MachinePaths.environment)))
    }

    /// The daemon that a user has chosen.
    struct Choice {
        let socket: String?
        let state: String?
        let paths: MachinePaths

        /// The choice by the options, else by the environment.
        init(_ socket: String?, _ state: String?, _ paths: MachinePaths) {
            let isGiven = socket != nil || state != nil
            self.socket = (isGiven ? socket : paths.chosenSocket).map { MachinePaths.absolute($0) }
            self.state = (isGiven ? state : paths.chosenState).map { MachinePaths.absolute($0) }
            self.paths = paths
        }
    }

    /// The path of the control socket for a choice.
    static func path(_ choice: Choice) -> String {
        let paths = choice.paths
        if let socket = choice.socket { return socket }
        if let directory = choice.state ?? paths.stateDirectory, let path = StateLock.holder(of: directory)?.socket {
            return path
        }
        if let state = choice.state { return "\(state)/\(name)" }
        let own = [paths.runtimeDirectory, paths.stateDirectory].compactMap(\.self)
        let directories =
            own.filter { $0 != paths.systemStateDirectory } + [
                paths.systemRuntimeDirectory, paths.systemStateDirectory,
            ]
        let candidates = directories.map { "\($0)/\(name)" }
        // A socket that a killed daemon left must not hide a daemon that runs, not even one of another user.
        if let served = candidates.first(where: UnixSocket.isServed) { return served }
        if let foreign = candidates.first(where: UnixSocket.isForbidden) { return foreign }
        if let path = StateLock.holder(of: paths.systemStateDirectory)?.socket, UnixSocket.isServed(path) {
            return path
        }
        return candidates.first(where: Permissions.exists) ?? candidates[0]
    }

    /// The reason why no daemon answers: it is stopping, its socket is gone, or none runs on the given state directory. Nil if the
    /// reason is unknown, or if only a socket was given, because then it is unknown which daemon is meant.
    package static func ofDaemonWithout(socket: String?, state: String?) -> String? {
        let choice = Choice(socket, state, MachinePaths(environment: MachinePaths.environment))
        guard choice.socket == nil || choice.state != nil else { return nil }
        let path = Self.path(choice)
        guard let directory = choice.state ?? choice.paths.stateDirectory.map({ MachinePaths.absolute($0) }) else {
            return nil
        }
        guard let holder = StateLock.holder(of: directory) else {
            return choice.socket == nil && choice.state != nil && !Permissions.exists(path)
                ? "no daemon is running on \(directory); start one with 'tminus run --state \(directory)'" : nil
        }
        if holder.isStopping {
            return
                "the daemon on \(directory) (process id \(holder.process)) is stopping; it waits for running deliveries, "
                + "at most half a minute"
        }
        if Permissions.exists(path) { return nil }
        return
            "a daemon runs on \(directory) (process id \(holder.process)), but its control socket is gone, or not there yet; "
            + "it makes another within half a minute, at once after 'kill -HUP \(holder.process)'"
    }
}
