internal import Glibc

/// The standard paths of this machine, by the XDG base directory specification and systemd.exec(5).
package struct MachinePaths: Sendable {
    /// The state directory of a system service, as `StateDirectory=tminus` makes it.
    package static let systemStateDirectory = "/var/lib/tminus"

    private let environment: [String: String]
    private let isRoot: Bool
    /// The state directory of a system service.
    package let systemStateDirectory: String
    /// The runtime directory of a system service, as `RuntimeDirectory=tminus` makes it.
    package let systemRuntimeDirectory: String

    /// The paths in an environment.
    package init(
        environment: [String: String], systemStateDirectory: String = systemStateDirectory,
        systemRuntimeDirectory: String = "/run/tminus", isRoot: Bool = MachinePaths.isRoot
    ) {
        self.environment = environment
        self.isRoot = isRoot
        self.systemStateDirectory = systemStateDirectory
        self.systemRuntimeDirectory = systemRuntimeDirectory
    }

    /// The control socket that the environment chooses: `$TMINUS_SOCKET`.
    package var chosenSocket: String? { value(DaemonPlace.socketVariable) }

    /// The state directory that the environment chooses: `$TMINUS_STATE`.
    package var chosenState: String? { value(DaemonPlace.stateVariable) }

    /// The state directory: `$TMINUS_STATE`, else `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/tminus`, else
    /// `~/.local/state/tminus`. Root, unless it has that one, means the directory of the system service, where there is one.
    package var stateDirectory: String? {
        if let chosenState { return chosenState }
        // systemd lists several directories with colons; the first is ours.
        if let given = value("STATE_DIRECTORY")?.split(separator: ":").first { return String(given) }
        let own = ownStateDirectory
        let hasOwn = own.map(Permissions.exists) ?? false
        return isRoot && !hasOwn && Permissions.exists(systemStateDirectory) ? systemStateDirectory : own
    }

    private var ownStateDirectory: String? {
        if let home = value("XDG_STATE_HOME"), home.hasPrefix("/") { return "\(home)/tminus" }
        return value("HOME").map { "\($0)/.local/state/tminus" }
    }

    /// The directory of the control socket: `$RUNTIME_DIRECTORY`, else `$XDG_RUNTIME_DIR/tminus`; nil: in the state
    /// directory.
    package var runtimeDirectory: String? {
        if let given = value("RUNTIME_DIRECTORY")?.split(separator: ":").first { return String(given) }
        return value("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? "\($0)/tminus" : nil }
    }

    /// The directories of definitions if none is named, the preferred first.
    package var configDirectories: [String] {
        let home =
            value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? value("HOME").map { "\($0)/.config" }
        return ["./config"] + (home.map { ["\($0)/tminus"] } ?? []) + ["/etc/tminus"]
    }

    /// The environment of this process.
    package static var environment: [String: String] {
        var result: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let split = text.firstIndex(of: "=") {
                result[String(text[..<split])] = String(text[text.index(after: split)...])
            }
            next = next.advanced(by: 1)
        }
        return result
    }

    private func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The first directory of `candidates` that exists.
    package static func firstDirectory(of candidates: [String]) -> String? {
        candidates.first { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }

    /// The absolute form of `path`, with symbolic links resolved if it exists.
    package static func absolute(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        if path.hasPrefix("/") { return path }
        guard let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }

    /// Whether this process may do everything.
    package static var isRoot: Bool { geteuid() == 0 }

    /// The id of this process.
    package static var processID: Int32 { getpid() }

    /// The name of this machine.
    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
