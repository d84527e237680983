internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

/// The definitions in directories and files, read once by the reader and the decoder of the daemon.
enum DefinitionFiles {
    /// Reads and decodes each of the paths. Refuses those that other users can write, unless that is allowed.
    ///
    /// - Throws: ``ToolError`` if a path does not exist.
    static func load(
        _ paths: [String], maxFileSize: Int = 1 << 20, allowsInsecurePermissions: Bool = false, now: Timestamp,
        zones: any ZoneDatabase, sinks: [any Sink.Type]
    ) throws(ToolError) -> [LoadResult] {
        if let missing = paths.first(where: { !Permissions.exists($0) }) {
            throw ToolError(.inputOutput, "\(missing.isEmpty ? "''" : missing): there is no such file or directory")
        }
        let reader = DirectoryReader(sizeLimit: maxFileSize, allowsInsecurePermissions: allowsInsecurePermissions)
        return paths.flatMap { path in
            var loader = DefinitionLoader(
                zones: zones, sinks: SinkRegistry(sinks), displayRoot: displayRoot(of: path),
                isAlone: MachinePaths.firstDirectory(of: [path]) == nil)
            return reader.read(paths: [path]).map { loader.load($0, now: now) }
        }
    }

    /// The content of a directory.
    static func read(directory: String, allowsInsecurePermissions: Bool) -> DirectoryContents {
        DirectoryReader(allowsInsecurePermissions: allowsInsecurePermissions).read(directory: directory)
    }

    /// Decodes the content of a directory with a new loader.
    static func load(
        _ contents: DirectoryContents, shownRoot: String, now: Timestamp, zones: any ZoneDatabase,
        sinks: [any Sink.Type]
    ) -> LoadResult {
        var loader = DefinitionLoader(zones: zones, sinks: SinkRegistry(sinks), displayRoot: shownRoot)
        return loader.load(contents, now: now)
    }

    /// The directory for file names in diagnostics, as the user wrote it; for a single file, its directory.
    private static func displayRoot(of path: String) -> String {
        if MachinePaths.firstDirectory(of: [path]) != nil { return path }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }
}
