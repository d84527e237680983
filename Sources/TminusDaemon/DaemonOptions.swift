internal import Glibc
internal import TminusSystem

/// What a daemon is told when it is made. Paths are absolute; nothing is read or made yet.
public struct DaemonOptions: Sendable {
    /// The directory with the definitions.
    public var configDirectory: String
    /// The same as the user wrote it, for diagnostics.
    public var shownConfigDirectory: String
    /// Where the lock and the store are.
    public var stateDirectory: String
    /// The SQLite file.
    public var storePath: String
    /// Where the control socket may be, best first.
    public var socketPaths: [String]
    /// The version that the daemon says it has.
    public var version = "unknown"
    /// The largest definition file that is read, in bytes.
    public var maxFileSize = 1 << 20
    /// Refuse to start if any definition has an error.
    public var isStrict = false
    /// Accept definitions and state that other users can write.
    public var allowsInsecurePermissions = false

    /// Options from what a user gave; what is nil is found as the contract says.
    ///
    /// - Parameters:
    ///   - config: A directory; else the first that exists of `./config`, `$XDG_CONFIG_HOME/tminus`, `/etc/tminus`.
    ///   - state: A directory; else `$STATE_DIRECTORY`, `$XDG_STATE_HOME/tminus` or `~/.local/state/tminus`.
    ///   - store: A path or `sqlite:PATH`; else `tminus.sqlite` in the state directory.
    ///   - socket: The path of the control socket; else `control.sock` in `$RUNTIME_DIRECTORY`, in `$XDG_RUNTIME_DIR/tminus`, or
    ///     in the state directory where another daemon has that one or there is none.
    public init(config: String?, state: String?, store: String?, socket: String? = nil) throws(DaemonError) {
        let paths = MachinePaths(environment: MachinePaths.environment)
        for (name, value) in [("--config", config), ("--state", state), ("--store", store), ("--socket", socket)]
        where value == "" {
            throw DaemonError(.usage, "\(name) must not be empty")
        }
        if let config {
            shownConfigDirectory = config
        } else {
            shownConfigDirectory = try Self.standardConfigDirectory(paths)
        }
        configDirectory = MachinePaths.absolute(shownConfigDirectory)
        if Permissions.exists(configDirectory), MachinePaths.firstDirectory(of: [configDirectory]) == nil {
            throw DaemonError(
                .usage, "\(shownConfigDirectory): is not a directory; give the directory with the definitions")
        }
        guard let state = state ?? paths.stateDirectory else {
            throw DaemonError(
                .usage, "no state directory: neither $STATE_DIRECTORY nor $HOME is set; give one with --state")
        }
        stateDirectory = MachinePaths.absolute(state)
        storePath = "\(stateDirectory)/tminus.sqlite"
        socketPaths = socket.map { [MachinePaths.absolute($0)] } ?? ControlSocketPath.candidates(paths, stateDirectory)
        if let store {
            let path = store.hasPrefix("sqlite:") ? String(store.dropFirst("sqlite:".count)) : store
            guard !path.isEmpty, !path.contains("://") else {
                throw DaemonError(.usage, "--store '\(store)': expected a path or sqlite:PATH")
            }
            storePath = MachinePaths.absolute(path.hasPrefix("//") ? String(path.dropFirst(2)) : path)
        }
    }

    static func standardConfigDirectory(_ paths: MachinePaths) throws(DaemonError) -> String {
        guard let found = MachinePaths.firstDirectory(of: paths.configDirectories) else {
            throw DaemonError(
                .usage,
                "no config directory: none of \(paths.configDirectories.joined(separator: ", ")) exists; name one"
            )
        }
        return found
    }
}
