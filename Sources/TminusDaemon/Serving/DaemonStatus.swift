internal import TminusCore
internal import TminusDefinitions
internal import TminusWatch

/// What is live, file by file, and how the watching goes, at one moment.
struct DaemonStatus: Sendable, Equatable {
    /// A watched directory.
    struct Root: Sendable, Equatable {
        /// Its absolute path.
        var path: String
        /// Where hints come from and why, and the counters since the start.
        var watch: WatchStatus
        /// What is wrong with it.
        var problems: [Diagnostic]
    }

    /// Counts, from 1, how often since the start other content came into force; 0 before the first.
    var generation: Int
    /// Identifies what is in force: the same for the same tree on every machine and after every start; nil before anything is.
    var hash: String?
    /// How many definitions are in force.
    var definitions: Int
    /// When the directory was last taken in.
    var lastAttempt: Timestamp?
    /// When that was last done without an error anywhere.
    var lastSuccess: Timestamp?
    /// Whether all that the last attempt found is in force.
    var isLastSuccessful: Bool
    /// How often a file was parsed since the start.
    var parsedFiles: Int
    /// The version of the zone data in use, such as `2025b`; nil if that is not known.
    var zoneVersion: String?
    /// The directories.
    var roots: [Root]
    /// In the order of their paths; of those that are ignored the first hundred or so.
    var files: [FileStatus]
    /// How many are ignored.
    var ignored: Int

    /// The status of the daemon on `root`.
    init(root: String, load: LoadStatus, watch: WatchStatus) {
        generation = load.generation
        hash = load.hash
        definitions = load.definitions
        lastAttempt = load.lastAttempt
        lastSuccess = load.lastSuccess
        isLastSuccessful = load.isLastSuccessful
        parsedFiles = load.parsedFiles
        zoneVersion = load.zoneVersion
        roots = [Root(path: root, watch: watch, problems: load.problems)]
        let pending = Set(watch.pending)
        files = load.files.map { report in
            FileStatus(report, since: load.since[report.path], isPending: pending.contains(report.path))
        }
        let known = Set(load.files.map(\.path))
        files += pending.subtracting(known).map { FileStatus(pending: $0) }
        files += watch.ignored.entries.map { FileStatus($0) }
        ignored = watch.ignored.total
        files.sort { $0.path < $1.path }
    }

    /// How many files are in each state, those without any among them.
    var counts: [FileStatus.State: Int] {
        var counts = Dictionary(uniqueKeysWithValues: FileStatus.State.allCases.map { ($0, 0) })
        for file in files { counts[file.state, default: 0] += 1 }
        counts[.ignored] = ignored
        return counts
    }
}
