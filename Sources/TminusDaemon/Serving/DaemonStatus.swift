internal import TminusCore
internal import TminusDefinitions
internal import TminusWatch

/// What is live, file by file, and the state of the watching, at one moment.
struct DaemonStatus: Sendable, Equatable {
    /// The number of changes of the content in force since the start; 0 before the first content.
    var generation: Int
    /// Identifies the content in force: the same for the same tree on every machine and after every start; nil before the first.
    var hash: String?
    /// The number of definitions in force.
    var definitions: Int
    /// The time of the last load of the directory.
    var lastAttempt: Timestamp?
    /// The time of the last load without an error.
    var lastSuccess: Timestamp?
    /// Whether all content of the last load is in force.
    var isLastSuccessful: Bool
    /// The number of files parsed since the start.
    var parsedFiles: Int
    /// The version of the zone data in use, such as `2025b`; nil if unknown.
    var zoneVersion: String?
    /// The source of hints, and the counters since the start.
    var watch: WatchStatus
    /// The problems of the directory itself.
    var problems: [Diagnostic]
    /// The files by path; of ignored ones the first hundred or so.
    var files: [FileStatus]

    /// The status of a daemon.
    init(load: LoadStatus, watch: WatchStatus) {
        generation = load.generation
        hash = load.hash
        definitions = load.definitions
        lastAttempt = load.lastAttempt
        lastSuccess = load.lastSuccess
        isLastSuccessful = load.isLastSuccessful
        parsedFiles = load.parsedFiles
        zoneVersion = load.zoneVersion
        self.watch = watch
        problems = load.problems
        let pending = Set(watch.pending)
        files = load.files.map { report in
            FileStatus(report, since: load.since[report.path], isPending: pending.contains(report.path))
        }
        let known = Set(load.files.map(\.path))
        files += pending.subtracting(known).map { FileStatus(pending: $0) }
        files += watch.ignored.entries.map { FileStatus($0) }
        files.sort { $0.path < $1.path }
    }
}
