internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

/// The definitions in directories and files, read once by the reader and the decoder of the daemon.
enum DefinitionFiles {
    /// What a check reports besides the problems of the files.
    struct Check {
        /// Looks for what sinks need.
        var inspector: any SinkNeedInspector
        /// How severe it is if something is missing that a sink needs.
        var severity: Diagnostic.Severity
    }

    /// Reads and decodes each of the paths. Refuses those that other users can write, unless that is allowed.
    ///
    /// - Parameters:
    ///   - labels: The labels of the machine. What only other machines need is not looked for.
    ///   - check: What to report besides the problems of the files; nil for nothing.
    /// - Throws: ``ToolError`` if a path does not exist.
    static func load(
        _ paths: [String], maxFileSize: Int = 1 << 20, allowsInsecurePermissions: Bool = false, now: Timestamp,
        zones: any ZoneDatabase, sinks: [any Sink.Type], labels: Set<MachineLabel> = [], check: Check? = nil
    ) throws(ToolError) -> [LoadResult] {
        if let missing = paths.first(where: { !Permissions.exists($0) }) {
            throw ToolError(.inputOutput, "\(missing.isEmpty ? "''" : missing): there is no such file or directory")
        }
        let reader = DirectoryReader(sizeLimit: maxFileSize, allowsInsecurePermissions: allowsInsecurePermissions)
        return paths.flatMap { path in
            let root = displayRoot(of: path)
            var loader = DefinitionLoader(
                zones: zones, sinks: SinkRegistry(sinks), displayRoot: root, labels: labels,
                isAlone: MachinePaths.firstDirectory(of: [path]) == nil)
            return reader.read(paths: [path]).map { contents in
                var result = loader.load(contents, now: now)
                if let check {
                    result.inspect(check.inspector, severity: check.severity)
                    result.add(contents.ignored.notes(below: root))
                }
                return result
            }
        }
    }

    /// The content of a directory.
    static func read(directory: String, maxFileSize: Int, allowsInsecurePermissions: Bool) -> DirectoryContents {
        DirectoryReader(sizeLimit: maxFileSize, allowsInsecurePermissions: allowsInsecurePermissions)
            .read(directory: directory)
    }

    /// Decodes the content of a directory with a new loader, and warns of what sinks need and is not there.
    ///
    /// - Parameters:
    ///   - kept: The last good content of files, for those that have errors.
    ///   - isDaemon: Whether this process is the daemon.
    static func load(
        _ contents: DirectoryContents, shownRoot: String, kept: KeptFiles = KeptFiles(), isDaemon: Bool = false,
        now: Timestamp, zones: any ZoneDatabase, sinks: [any Sink.Type]
    ) -> LoadResult {
        var loader = DefinitionLoader(zones: zones, sinks: SinkRegistry(sinks), displayRoot: shownRoot)
        loader.remember(kept)
        var result = loader.load(contents, now: now)
        result.inspect(SystemNeedInspector(isDaemon: isDaemon), severity: .warning)
        return result
    }

    /// The directory for file names in diagnostics, as the user wrote it; for a single file, its directory.
    private static func displayRoot(of path: String) -> String {
        if MachinePaths.firstDirectory(of: [path]) != nil { return path }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }
}

extension IgnoredEntries {
    /// Notes on files that look like definition files but are not read.
    fileprivate func notes(below root: String) -> [Diagnostic] {
        entries.filter { $0.reason == .schema }.map { entry in
            let path = root.isEmpty || root.hasSuffix("/") ? root + entry.path : "\(root)/\(entry.path)"
            return Diagnostic(.note, "ignored: \(entry.reason.text)", at: SourceLocation(file: path))
        }
    }
}
