internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

/// The config directory, read once as the daemon reads it.
struct DefinitionReview: Sendable {
    /// The directory.
    var directory: String
    /// The valid definitions and their sinks.
    var set = DefinitionSet()
    /// The errors of files and directories, by place.
    var errors: [Diagnostic] = []
    /// What the sinks need.
    var needs: [FileNeeds] = []
    /// The hash of the content.
    var hash: String?
    /// The zones that are named and not there.
    var unknownZones: [String] = []
    /// The absolute paths of the directories that the daemon watches.
    var directories: [String] = []
    /// The absolute paths of the files.
    var files: [String] = []

    /// Nothing: there is no config directory.
    init(without directory: String) {
        self.directory = directory
    }

    /// What a file system answers.
    struct Content: Sendable {
        /// The files.
        var files: DirectoryContents
        /// The absolute paths of the directories that the daemon watches.
        var directories: [String]

        /// Reads the directory. Blocks as its file system does.
        init(of directory: String) {
            // Owners and modes are findings of their own, by the user of the daemon.
            let reader = DirectoryReader(allowsInsecurePermissions: true)
            files = reader.read(directory: directory)
            directories = reader.directories(below: directory)
        }
    }

    /// Decodes the content of a directory.
    init(
        of directory: String, _ content: Content, zones: SystemZoneDatabase, sinks: [any Sink.Type], now: Timestamp
    ) {
        self.directory = directory
        let recorder = ZoneRecorder(zones)
        var loader = DefinitionLoader(zones: recorder, sinks: SinkRegistry(sinks), displayRoot: "")
        let result = loader.load(content.files, now: now)
        set = result.set
        errors = result.diagnostics.filter { $0.severity == .error }
        needs = result.needs
        hash = result.hash
        unknownZones = recorder.unknown
        directories = content.directories
        files = content.files.files.map { "\(directory)/\($0.path)" }
    }

    /// The titles of the sinks that start commands, sorted.
    var commands: [String] {
        self.set.sinks.values.filter { ["shell", "exec", "plugin"].contains($0.kind) }.map(\.title).sorted()
    }

    /// The absolute paths of what sinks start and of their secrets.
    var sinkFiles: [(path: String, role: PermissionFacts.Role)] {
        Set(needs.flatMap { $0.needs.map(\.thing) }).compactMap { thing in
            switch thing {
            case .program(let name, let directory, _) where name.contains("/"):
                (name.hasPrefix("/") ? name : MachinePaths.absolute("\(directory)/\(name)"), .program)
            case .secretFile(let path): (path, .secret)
            default: nil
            }
        }
    }

    /// A finding for each file with errors.
    var findings: [Finding] {
        Dictionary(grouping: errors, by: \.location.file).values.compactMap { errors in
            guard let first = errors.min(by: { $0.location < $1.location }) else { return nil }
            let place = first.location.file + (first.location.line > 0 ? ":\(first.location.line)" : "")
            let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
            return Finding(
                .error, .fileBroken, place, "\(first.message)\(more)",
                fix: "tminus check \(ShellWord.quoted(directory))")
        }
    }
}
