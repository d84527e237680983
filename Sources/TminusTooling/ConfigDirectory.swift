internal import TminusSystem

/// The directory of the definitions, and which of its files are read.
package struct ConfigDirectory: Sendable {
    /// The absolute path.
    package let path: String
    /// The path as the user wrote it, for diagnostics.
    package let shown: String
    /// The largest definition file that is read, in bytes.
    package var maxFileSize = 1 << 20
    /// Whether to accept files and directories that other users can write.
    package var allowsInsecurePermissions = false

    /// The directory that the user named, which need not exist; the standard one if nil.
    package init(_ given: String?) throws(ToolError) {
        if given == "" { throw ToolError(.usage, "--config must not be empty") }
        if let given { shown = given } else { shown = try Self.standard() }
        path = MachinePaths.absolute(shown)
        if Permissions.exists(path), MachinePaths.firstDirectory(of: [path]) == nil {
            throw ToolError(.usage, "\(shown): is not a directory; give the directory with the definitions")
        }
    }

    /// The first existing directory of `./config`, `$XDG_CONFIG_HOME/tminus` and `/etc/tminus`.
    package static func standard() throws(ToolError) -> String {
        let candidates = MachinePaths(environment: MachinePaths.environment).configDirectories
        guard let found = MachinePaths.firstDirectory(of: candidates) else {
            throw ToolError(
                .usage,
                "no config directory: none of \(candidates.joined(separator: ", ")) exists; give the directory with the definitions"
            )
        }
        return found
    }

    /// Throws if there is no such directory.
    func requireExistence() throws(ToolError) {
        guard MachinePaths.firstDirectory(of: [path]) != nil else {
            throw ToolError(.inputOutput, "\(shown): there is no such directory")
        }
    }
}
