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
    /// A given state directory means only its daemon. Without one, if no daemon runs on the standard directory, it is the first socket
    /// that exists; that of a system service comes last.
    package static func ofDaemon(socket: String?, state: String?) throws(DaemonError) -> String {
        for (name, value) in [("--socket", socket), ("--state", state)] where value == "" {
            throw DaemonError(.usage, "\(name) must not be empty")
        }
        if let socket { return MachinePaths.absolute(socket) }
        let paths = MachinePaths(environment: MachinePaths.environment)
        let given = state.map { MachinePaths.absolute($0) }
        if let directory = given ?? paths.stateDirectory, let path = StateLock.holder(of: directory)?.socket {
            return path
        }
        if let given { return "\(given)/\(name)" }
        let directories = [paths.runtimeDirectory, paths.stateDirectory, "/run/tminus"]
        let candidates = directories.compactMap(\.self).map { "\($0)/\(name)" }
        return candidates.first { Permissions.exists($0) } ?? candidates[0]
    }

    /// The reason why no daemon answers: it is stopping, its socket is gone, or none runs on the given state directory. Nil if the
    /// reason is unknown, or if only a socket was given, because then it is unknown which daemon is meant.
    package static func ofDaemonWithout(socket: String?, state: String?) -> String? {
        guard socket == nil || state != nil, let path = try? ofDaemon(socket: socket, state: state) else { return nil }
        let paths = MachinePaths(environment: MachinePaths.environment)
        guard let directory = state.map({ MachinePaths.absolute($0) }) ?? paths.stateDirectory else { return nil }
        guard let holder = StateLock.holder(of: directory) else {
            return socket == nil && state != nil && !Permissions.exists(path)
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
