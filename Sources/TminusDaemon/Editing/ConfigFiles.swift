package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// The definition files of a config directory, for commands that change them. Needs no daemon.
package struct ConfigFiles: Sendable {
    /// A definition as it stands in a file.
    package struct Place: Sendable, Hashable {
        /// The id.
        package var id: String
        /// What it is.
        package var kind: DefinitionKind
        /// The file, as people are shown it.
        package var file: String
        /// The line of the id, from 1.
        package var line: Int
        /// The path of the file below the directory.
        var path: String
    }

    /// The largest definition file that is changed, in bytes; no larger one is read without being asked for.
    static let sizeLimit = 1 << 20

    /// The moment that counts as now.
    package let now: Timestamp
    /// The files as they were read.
    private(set) var contents: DirectoryContents
    private let shownRoot: String
    private let allowsInsecurePermissions: Bool
    private let sinks: [any Sink.Type]
    private let zones = SystemZoneDatabase()

    /// The files below a directory; nil is the one that a daemon would watch.
    package init(
        config: String?, allowsInsecurePermissions: Bool = false, sinks: [any Sink.Type]
    ) throws(EditRefusal) {
        do throws(DaemonError) {
            // No state is touched; a directory has to be named all the same.
            let options = try DaemonOptions(config: config, state: ".", store: nil)
            guard MachinePaths.firstDirectory(of: [options.configDirectory]) != nil else {
                throw DaemonError(.inputOutput, "\(options.shownConfigDirectory): there is no such directory")
            }
            shownRoot = options.shownConfigDirectory
            contents = DefinitionFiles.read(
                directory: options.configDirectory, allowsInsecurePermissions: allowsInsecurePermissions)
        } catch {
            throw EditRefusal(error)
        }
        now = TimerFDClock.now
        self.allowsInsecurePermissions = allowsInsecurePermissions
        self.sinks = sinks
    }

    /// The directory, as the daemon that watches it names it.
    package var root: String { contents.root }

    /// The same directory, read again.
    func reread() -> ConfigFiles {
        var copy = self
        copy.contents = DefinitionFiles.read(
            directory: contents.root, allowsInsecurePermissions: allowsInsecurePermissions)
        return copy
    }

    /// The absolute path of a file.
    func absolute(_ path: String) -> String { "\(contents.root)/\(path)" }

    /// A file as people are shown it.
    func shown(_ path: String) -> String { shownRoot.hasSuffix("/") ? shownRoot + path : "\(shownRoot)/\(path)" }

    /// What the directory comes to with another content of a file; nil: without the file.
    func result(with bytes: [UInt8]?, at path: String) -> LoadResult {
        var contents = contents
        contents.files.removeAll { $0.path == path }
        if let bytes {
            contents.files.append(SourceFile(path: path, content: .bytes(bytes)))
            contents.files.sort { $0.path < $1.path }
        }
        return DefinitionFiles.load(contents, shownRoot: shownRoot, now: now, zones: zones, sinks: sinks)
    }

    /// The zone of an event in a file that does not name one: that of the file's `defaults`, of those of the root file, of the
    /// machine.
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

    /// The document of a file; nil if it is not there or broken.
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
