internal import TminusCore
internal import TminusDefinitions

/// How the last load went, and what is in force with it. Each load updates it.
struct LoadStatus: Sendable, Equatable {
    /// The number of the loaded state of the directory; see ``DirectoryContents/number``.
    private(set) var state = 0
    /// The number of changes of the content since the start; 0 before the first content.
    private(set) var generation = 0
    /// Identifies the content in force: the same for the same tree on every machine and after every start; nil before the first.
    private(set) var hash: String?
    /// The number of definitions in force.
    private(set) var definitions = 0
    /// The time of the last load of the directory.
    private(set) var lastAttempt: Timestamp?
    /// The time of the last load without an error.
    private(set) var lastSuccess: Timestamp?
    /// The files of the last load, sorted by path, with warnings of what their sinks need and is not there.
    private(set) var files: [FileReport] = []
    /// Those files without these warnings.
    private var loaded: [FileReport] = []
    /// When each file that is not ``FileReport/State/ok`` entered its state, by path.
    private(set) var since: [String: Timestamp] = [:]
    /// The problems of the directory itself.
    private(set) var problems: [Diagnostic] = []
    /// The number of files parsed since the start.
    private(set) var parsedFiles = 0
    /// The version of the zone data in use, such as `2025b`; nil if unknown.
    private(set) var zoneVersion: String?
    /// Why UTC counts as the zone of the machine although that names another; nil if it does not.
    private(set) var zoneProblem: String?
    /// Whether all content of the last load is in force.
    private(set) var isLastSuccessful = false
    /// The sets of labels that sinks ask for.
    private(set) var labelSets: Set<Set<MachineLabel>> = []
    /// The number of loads by their results, since the start.
    private(set) var results: [Result: Int] = [:]

    /// How a load went.
    enum Result: String, Sendable, Hashable, CaseIterable {
        /// Every file is in order, and the content is another.
        case success
        /// A file has an error, or the directory cannot be read.
        case failure
        /// Every file is in order, and the content is as before.
        case unchanged
    }

    /// Takes the result of a load.
    ///
    /// - Parameters:
    ///   - state: The number of the loaded state of the directory.
    ///   - isOtherSet: Whether its meaning has changed: an id can pass to another file while all contents stay.
    ///   - problems: The problems of the directory itself.
    mutating func take(
        _ result: LoadResult, state: Int, isOtherSet: Bool, parsedFiles: Int, zoneVersion: String?,
        zoneProblem: String? = nil,
        problems: [Diagnostic], at now: Timestamp
    ) {
        let former = Dictionary(
            files.filter { $0.state != .ok }.map { ($0.path, $0.state) }, uniquingKeysWith: { first, _ in first })
        var since: [String: Timestamp] = [:]
        for file in result.files where file.state != .ok {
            since[file.path] = former[file.path] == file.state ? self.since[file.path] ?? now : now
        }
        self.since = since
        self.state = state
        let isOther = isOtherSet || hash != result.hash
        if isOther { generation += 1 }
        results[result.isClean ? isOther ? .success : .unchanged : .failure, default: 0] += 1
        hash = result.hash
        definitions = result.set.definitions.count
        files = result.files
        loaded = result.files
        self.problems = problems
        self.parsedFiles = parsedFiles
        self.zoneVersion = zoneVersion
        self.zoneProblem = zoneProblem
        lastAttempt = now
        // Not derived from the instants: after the clock was set back two loads can have the same one.
        isLastSuccessful = result.isClean
        if isLastSuccessful { lastSuccess = now }
    }

    /// Notes the sinks of the last load.
    mutating func note(_ sinks: [SinkKey: SinkSpec]) {
        labelSets = Set(sinks.values.lazy.map(\.machineLabels).filter { !$0.isEmpty })
    }

    /// Notes what the sinks of the files need and is not there: the warnings by the path of the file.
    mutating func note(missing: [String: [Diagnostic]]) {
        files = loaded
        guard !missing.isEmpty else { return }
        for index in files.indices {
            guard let more = missing[files[index].path] else { continue }
            files[index].diagnostics += more
        }
    }

    /// Records that the directory could not be read, while nothing is in force yet.
    mutating func fail(problems: [Diagnostic], state: Int, at now: Timestamp) {
        self.state = state
        self.problems = problems
        isLastSuccessful = false
        results[.failure, default: 0] += 1
        lastAttempt = now
    }
}
