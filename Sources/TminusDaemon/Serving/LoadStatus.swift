internal import TminusCore
internal import TminusDefinitions

/// What is live and how it came about: a value that each state of the directory moves on.
struct LoadStatus: Sendable, Equatable {
    /// Counts, from 1, how often since the start other content came into force; 0 before the first.
    private(set) var generation = 0
    /// Identifies what is in force; nil before anything is.
    private(set) var hash: String?
    /// How many definitions are in force.
    private(set) var definitions = 0
    /// When the directory was last taken in.
    private(set) var lastAttempt: Timestamp?
    /// When that was last done without an error anywhere.
    private(set) var lastSuccess: Timestamp?
    /// What became of each file, in the order of their paths.
    private(set) var files: [FileReport] = []
    /// Since when a file that is not ``FileReport/State/ok`` is what it is, by path.
    private(set) var since: [String: Timestamp] = [:]
    /// What is wrong with the directory itself.
    private(set) var problems: [Diagnostic] = []
    /// How often a file was parsed since the start.
    private(set) var parsedFiles = 0
    /// The version of the zone data in use, such as `2025b`; nil if that is not known.
    private(set) var zoneVersion: String?

    /// Whether all that the last attempt found is in force.
    private(set) var isLastSuccessful = false

    /// Takes what a state of the directory came to. Returns whether other content is in force than before.
    ///
    /// - Parameters:
    ///   - isOtherSet: whether its meaning is another: an id can pass to another file while all contents stay.
    ///   - zoneVersion: that of the zone data with which it was made.
    ///   - problems: what is wrong with the directory itself.
    mutating func take(
        _ result: LoadResult, isOtherSet: Bool, parsedFiles: Int, zoneVersion: String?, problems: [Diagnostic],
        at now: Timestamp
    ) -> Bool {
        let former = Dictionary(
            files.filter { $0.state != .ok }.map { ($0.path, $0.state) }, uniquingKeysWith: { first, _ in first })
        var since: [String: Timestamp] = [:]
        for file in result.files where file.state != .ok {
            since[file.path] = former[file.path] == file.state ? self.since[file.path] ?? now : now
        }
        self.since = since
        let isNew = isOtherSet || hash != result.hash
        if isNew { generation += 1 }
        hash = result.hash
        definitions = result.set.definitions.count
        files = result.files
        self.problems = problems
        self.parsedFiles = parsedFiles
        self.zoneVersion = zoneVersion
        lastAttempt = now
        // Not from the instants: a clock that is set back can give two attempts the same one.
        isLastSuccessful = result.isClean
        if isLastSuccessful { lastSuccess = now }
        return isNew
    }

    /// Takes note that the directory could not be read, while nothing is in force yet.
    mutating func fail(problems: [Diagnostic], at now: Timestamp) {
        self.problems = problems
        isLastSuccessful = false
        lastAttempt = now
    }
}
