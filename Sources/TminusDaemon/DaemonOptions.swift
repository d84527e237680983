internal import Glibc
package import TminusCore
package import TminusSystem
package import TminusTooling

/// The options of a daemon. Paths are absolute; nothing is read or created yet.
public struct DaemonOptions: Sendable {
    /// The directory with the definitions, and which of its files are read.
    package var definitions: ConfigDirectory
    /// The directory of the lock and the store.
    public var stateDirectory: String
    /// The store.
    package var store: StoreLocation
    /// The possible paths of the control socket, the preferred first.
    public var socketPaths: [String]
    /// The version that the daemon reports.
    public var version = "unknown"
    /// What the service manager asks of the daemon.
    package var service: ServiceEnvironment
    /// Whether to wait, for as long as another daemon has the store, to take over from it.
    package let standsBy: Bool
    /// The CloudEvents source of all deliveries.
    package let source: String
    /// The labels of this machine, which sinks may ask for.
    package let labels: Set<MachineLabel>
    /// Whether to refuse to start if a definition has an error, or something is missing that a sink needs.
    public var isStrict = false
    /// Whether the files of this machine count at a take-over as they are, also if they are older than those in force or missing.
    public var usesOwnFiles = false

    /// Where the daemon serves HTTP over TCP; nowhere by default.
    package var web = WebOptions()

    /// Makes options from those of a user; nil means the default.
    ///
    /// - Parameters:
    ///   - config: A directory; by default the first that exists of `./config`, `$XDG_CONFIG_HOME/tminus`, `/etc/tminus`.
    ///   - state: A directory; else `$TMINUS_STATE`, `$STATE_DIRECTORY`, `$XDG_STATE_HOME/tminus` or
    ///     `~/.local/state/tminus`; for root, which has neither, that of the system service.
    ///   - store: A path, `sqlite:PATH`, or `postgresql://` with the address of a database; else `tminus.sqlite` in the state
    ///     directory.
    ///   - socket: The path of the control socket; else `$TMINUS_SOCKET` unless `state` is given, else `control.sock` in `$RUNTIME_DIRECTORY`, in `$XDG_RUNTIME_DIR/tminus`, or
    ///     in the state directory where another daemon has that one or there is none.
    ///   - standsBy: Whether to wait while another daemon has the store, which must be in a database.
    ///   - fleet: The name after `/tminus/` in the `source` of deliveries; else `tminus` for a daemon that stands by, so that
    ///     it is the same on all machines, and the name of the host for any other.
    ///   - labels: The labels of this machine, beside `host=` and the name of its host.
    public init(
        config: String?, state: String?, store: String?, socket: String? = nil, standsBy: Bool = false,
        fleet: String? = nil, labels: [String] = []
    ) throws(DaemonError) {
        let environment = MachinePaths.environment
        let paths = MachinePaths(environment: environment)
        service = ServiceEnvironment(environment, process: MachinePaths.processID)
        for (name, value) in [("--state", state), ("--store", store), ("--socket", socket)] where value == "" {
            throw DaemonError(.usage, "\(name) must not be empty")
        }
        do throws(ToolError) {
            definitions = try ConfigDirectory(config)
        } catch {
            throw DaemonError(error)
        }
        let socket = socket ?? (state == nil ? paths.chosenSocket : nil)
        guard let state = state ?? paths.stateDirectory else {
            throw DaemonError(
                .usage,
                "no state directory: none of $TMINUS_STATE, $STATE_DIRECTORY and $HOME is set; give one with --state")
        }
        stateDirectory = MachinePaths.absolute(state)
        socketPaths = socket.map { [MachinePaths.absolute($0)] } ?? ControlSocketPath.candidates(paths, stateDirectory)
        do throws(ToolError) {
            self.store =
                try store.map { text throws(ToolError) in try StoreLocation(text) }
                ?? .file("\(stateDirectory)/tminus.sqlite")
        } catch {
            throw DaemonError(error)
        }
        if standsBy, case .file = self.store {
            throw DaemonError(
                .usage,
                "--standby needs a store that all machines reach: give --store postgresql://USER@HOST:PORT/DATABASE")
        }
        self.standsBy = standsBy
        self.labels = Set(
            try labels.map { text throws(DaemonError) in
                guard let label = MachineLabel(text) else {
                    throw DaemonError(.usage, "--label: '\(text)' is not a label: \(MachineLabel.rule)")
                }
                guard !text.hasPrefix("host=") else {
                    throw DaemonError(.usage, "--label: '\(text)': the label host= is given by the name of the host")
                }
                return label
            }
        ).union([MachineLabel(host: MachinePaths.hostName)].compactMap(\.self))
        let name = try fleet.map { text throws(DaemonError) in try FleetName(text).text }
        source = "/tminus/\(name ?? (standsBy ? FleetName.standard : MachinePaths.hostName))"
    }

    /// The path of the SQLite file, for a command that reads one.
    ///
    /// - Parameter instead: What to do if the store is in a database.
    package func storeFile(for command: String, instead: String) throws(DaemonError) -> String {
        do throws(ToolError) {
            return try store.file(for: command, instead: instead)
        } catch {
            throw DaemonError(error)
        }
    }

    /// The absolute path of the directory with the definitions.
    public var configDirectory: String { definitions.path }
    /// The largest definition file that is read, in bytes.
    public var maxFileSize: Int {
        get { definitions.maxFileSize }
        set { definitions.maxFileSize = newValue }
    }
    /// Whether to accept definitions and state that other users can write.
    public var allowsInsecurePermissions: Bool {
        get { definitions.allowsInsecurePermissions }
        set { definitions.allowsInsecurePermissions = newValue }
    }
}
