package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// The definition files of a config directory, for commands that change them.
package struct ConfigFiles: Sendable {
    /// The place of a definition in a file.
    package struct Place: Sendable, Hashable {
        /// The id.
        package var id: String
        /// The kind of definition.
        package var kind: DefinitionKind
        /// The file, as users see it.
        package var file: String
        /// The line of the id, counted from 1.
        package var line: Int
        /// The path of the file below the directory.
        var path: String
    }

    /// The largest definition file that is read and changed, in bytes.
    let sizeLimit: Int
    /// Whether this process is the daemon that watches the directory.
    let isDaemon: Bool

    /// The current time of all changes.
    package let now: Timestamp
    /// The files as they were read.
    private(set) var contents: DirectoryContents
    private let shownRoot: String
    private let allowsInsecurePermissions: Bool
    private let kept: KeptFiles
    private let sinks: [any Sink.Type]
    private let zones = SystemZoneDatabase()

    /// The files below a directory; if it is nil, the directory that a daemon would watch.
    package init(
        config: String?, allowsInsecurePermissions: Bool = false, sinks: [any Sink.Type]
    ) throws(EditRefusal) {
        var directory: ConfigDirectory
        do throws(ToolError) { directory = try ConfigDirectory(config) } catch { throw EditRefusal(error) }
        directory.allowsInsecurePermissions = allowsInsecurePermissions
        try self.init(
            directory, shownRoot: directory.shown, kept: KeptFiles(), isDaemon: false, now: TimerFDClock.now,
            sinks: sinks)
    }

    /// The files of the directory that this process watches. They are named by their paths below the directory, exactly as
    /// they are listed, in requests, messages and diagnostics.
    ///
    /// - Parameter kept: The last good content of files, which is in force while they have errors.
    package init(
        watched directory: ConfigDirectory, kept: KeptFiles, now: Timestamp, sinks: [any Sink.Type]
    ) throws(EditRefusal) {
        try self.init(directory, shownRoot: "", kept: kept, isDaemon: true, now: now, sinks: sinks)
    }

    private init(
        _ directory: ConfigDirectory, shownRoot: String, kept: KeptFiles, isDaemon: Bool, now: Timestamp,
        sinks: [any Sink.Type]
    ) throws(EditRefusal) {
        do throws(ToolError) { try directory.requireExistence() } catch { throw EditRefusal(error) }
        self.shownRoot = shownRoot
        self.kept = kept
        self.isDaemon = isDaemon
        self.now = now
        self.sinks = sinks
        sizeLimit = directory.maxFileSize
        allowsInsecurePermissions = directory.allowsInsecurePermissions
        contents = DefinitionFiles.read(
            directory: directory.path, maxFileSize: sizeLimit, allowsInsecurePermissions: allowsInsecurePermissions)
    }

    /// The absolute path of the directory, as the daemon uses it.
    package var root: String { contents.root }

    /// The same directory, read again.
    func reread() -> ConfigFiles {
        var copy = self
        copy.contents = DefinitionFiles.read(
            directory: contents.root, maxFileSize: sizeLimit, allowsInsecurePermissions: allowsInsecurePermissions)
        return copy
    }

    /// The absolute path of a file.
    func absolute(_ path: String) -> String { "\(contents.root)/\(path)" }

    /// The path of a file as users see it.
    func shown(_ path: String) -> String {
        shownRoot.isEmpty || shownRoot.hasSuffix("/") ? shownRoot + path : "\(shownRoot)/\(path)"
    }

    /// Decodes the directory with another content of a file, or without the file if `bytes` is nil.
    func result(with bytes: [UInt8]?, at path: String) -> LoadResult {
        var contents = contents
        contents.files.removeAll { $0.path == path }
        if let bytes {
            contents.files.append(SourceFile(path: path, content: .bytes(bytes)))
            contents.files.sort { $0.path < $1.path }
        }
        return DefinitionFiles.load(
            contents, shownRoot: shownRoot, kept: kept, isDaemon: isDaemon, now: now, zones: zones, sinks: sinks)
    }

    /// The zone of an event without a zone of its own: that of the file's `defaults`, else that of the root file's,
    /// else the machine's.
    func zone(at path: String) -> Zone {
        let roots = ["tminus.json", "tminus.yaml", "tminus.yml"]
        for file in [path] + roots {
            let defaults = document(file)?.entries.first { $0.key == "defaults" }?.value
            if case .scalar(let name) = defaults?.entries.first(where: { $0.key == "timezone" })?.value.content,
                let zone = zones.zone(named: name)
            {
                return zone
            }
        }
        return zones.systemZone
    }

    /// The zone of that name.
    package func zone(named name: String) -> Zone? { zones.zone(named: name) }

    /// The document of a file; nil if the file is missing or broken.
    func document(_ path: String) -> Node? {
        guard let file = contents.files.first(where: { $0.path == path }), case .bytes(let bytes) = file.content else {
            return nil
        }
        return DocumentReader.read(bytes, path: shown(path)).root
    }
}

extension Node {
    /// The entries of a mapping; none for anything else.
    var entries: [Entry] {
        if case .mapping(let entries) = content { entries } else { [] }
    }
}
