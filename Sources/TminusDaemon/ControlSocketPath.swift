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
}
