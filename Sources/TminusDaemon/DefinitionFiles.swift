internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

/// The definitions in directories and files, read once by the reader and the decoder of the daemon.
enum DefinitionFiles {
    /// What each of the paths comes to; those that other users can write only if that is allowed.
    ///
    /// - Throws: ``DaemonError`` if a path does not exist.
    static func load(
        _ paths: [String], maxFileSize: Int = 1 << 20, allowsInsecurePermissions: Bool = false, now: Timestamp,
        zones: any ZoneDatabase, sinks: [any Sink.Type]
    ) throws(DaemonError) -> [LoadResult] {
        if let missing = paths.first(where: { !Permissions.exists($0) }) {
            throw DaemonError(.inputOutput, "\(missing.isEmpty ? "''" : missing): there is no such file or directory")
        }
        let reader = DirectoryReader(sizeLimit: maxFileSize, allowsInsecurePermissions: allowsInsecurePermissions)
        return paths.flatMap { path in
            var loader = DefinitionLoader(
                zones: zones, sinks: SinkRegistry(sinks), displayRoot: displayRoot(of: path),
                isAlone: MachinePaths.firstDirectory(of: [path]) == nil)
            return reader.read(paths: [path]).map { loader.load($0, now: now) }
        }
    }

    /// What is below a directory, as `tminus check` reads it.
    static func read(directory: String, allowsInsecurePermissions: Bool) -> DirectoryContents {
        DirectoryReader(allowsInsecurePermissions: allowsInsecurePermissions).read(directory: directory)
    }

    /// What a directory with that content comes to, for a loader without memory.
    static func load(
        _ contents: DirectoryContents, shownRoot: String, now: Timestamp, zones: any ZoneDatabase,
        sinks: [any Sink.Type]
    ) -> LoadResult {
        var loader = DefinitionLoader(zones: zones, sinks: SinkRegistry(sinks), displayRoot: shownRoot)
        return loader.load(contents, now: now)
    }

    /// What the names of files that were found stand below, as the user wrote it: a directory, or that of a single file.
    private static func displayRoot(of path: String) -> String {
        if MachinePaths.firstDirectory(of: [path]) != nil { return path }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }
}
