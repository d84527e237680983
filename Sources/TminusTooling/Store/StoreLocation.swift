internal import TminusPostgres
internal import TminusSystem

/// Where the store is. Nothing is opened.
package enum StoreLocation: Sendable, Hashable {
    /// The absolute path of a SQLite file.
    case file(String)
    /// The address of a PostgreSQL database. It may contain what must not be shown.
    case database(String)

    /// Reads what a user wrote: a path, `sqlite:PATH`, or `postgresql://…`. The error does not repeat an address, which may
    /// contain a password.
    ///
    /// - Parameter option: Where the user wrote it, for the error.
    package init(_ text: String, option: String = "--store") throws(ToolError) {
        if PostgresAddress.isAddress(text) {
            self = .database(text)
            return
        }
        let path = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
        guard !path.isEmpty, !path.contains("://") else {
            throw ToolError(.usage, "\(option): expected a path, sqlite:PATH or postgresql://USER@HOST:PORT/DATABASE")
        }
        self = .file(MachinePaths.absolute(path.hasPrefix("//") ? String(path.dropFirst(2)) : path))
    }

    /// Whether a text is the address of a database.
    package static func isDatabase(_ text: String) -> Bool { PostgresAddress.isAddress(text) }

    /// The path of the SQLite file. Throws what to do instead if the store is in a database.
    package func file(for command: String, instead: String) throws(ToolError) -> String {
        switch self {
        case .file(let path): return path
        case .database:
            throw ToolError(.usage, "the store is in a PostgreSQL database, and '\(command)' reads SQLite; \(instead)")
        }
    }
}
