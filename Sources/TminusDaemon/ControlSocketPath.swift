internal import TminusSystem

/// Where the control socket is looked for.
package enum ControlSocketPath {
    private static let name = "control.sock"

    /// Where a daemon may make it, best first.
    static func candidates(_ paths: MachinePaths, _ stateDirectory: String) -> [String] {
        [paths.runtimeDirectory, stateDirectory].compactMap(\.self).map { "\($0)/\(name)" }
    }

    /// Where a client finds it: the path that is given, else the first socket that exists.
    ///
    /// A state directory that is given comes first: it is that daemon which is meant. Without one, that of a system service comes
    /// last.
    package static func ofDaemon(socket: String?, state: String?) throws(DaemonError) -> String {
        for (name, value) in [("--socket", socket), ("--state", state)] where value == "" {
            throw DaemonError(.usage, "\(name) must not be empty")
        }
        if let socket { return MachinePaths.absolute(socket) }
        let paths = MachinePaths(environment: MachinePaths.environment)
        let given = state.map { MachinePaths.absolute($0) }
        let directories = [given, paths.runtimeDirectory, given == nil ? paths.stateDirectory : nil, "/run/tminus"]
        let candidates = directories.compactMap(\.self).map { "\($0)/\(name)" }
        return candidates.first { Permissions.exists($0) } ?? candidates[0]
    }

    /// What to say of a daemon that runs while its socket is gone; nil if none runs or the socket is there, and if a socket
    /// alone was named: then it is not known which daemon is meant.
    package static func ofDaemonWithout(socket: String?, state: String?) -> String? {
        guard socket == nil || state != nil, let path = try? ofDaemon(socket: socket, state: state),
            !Permissions.exists(path)
        else { return nil }
        let paths = MachinePaths(environment: MachinePaths.environment)
        guard let directory = state.map({ MachinePaths.absolute($0) }) ?? paths.stateDirectory,
            let holder = StateLock.holder(of: directory)
        else { return nil }
        return
            "a daemon runs on \(directory) (process id \(holder)), but its control socket is gone, or not there yet; "
            + "it makes another within half a minute, at once after 'kill -HUP \(holder)'"
    }
}
