internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// What sinks need, and what of it is not there.
struct SinkFacts: Sendable {
    /// A thing that is not there.
    struct Missing: Sendable, Hashable {
        /// The thing.
        var thing: SinkNeed.Thing
        /// Where a file names it, as `file:line`.
        var place: String
        /// What is wrong with it.
        var problem: String
        /// Whether it is missing for the daemon, too.
        var isSure: Bool
    }

    /// The things that are not there.
    var missing: [Missing]

    /// Looks for what the files need in the environment of the daemon, or in that of this process.
    ///
    /// - Parameters:
    ///   - isSure: Whether this process sees what the daemon sees: it is the same user, and the daemon's environment is
    ///     known.
    ///   - told: The warnings of the daemon by `path:line:column`. In a service it sees another file system.
    static func ofMachine(
        _ needs: [FileNeeds], environment: [String: String]?, isSure: Bool, told: [String: String] = [:]
    ) -> Self {
        let inspector =
            environment.map { SystemNeedInspector(environment: $0, isDaemon: true) }
            ?? SystemNeedInspector(isDaemon: false)
        var known: [SinkNeed.Thing: String?] = [:]
        let missing = needs.flatMap { file in
            file.needs.compactMap { need -> Missing? in
                let place = "\(file.path):\(need.range.start.line)"
                if let problem = told["\(place):\(need.range.start.column)"] {
                    return Missing(thing: need.thing, place: place, problem: problem, isSure: true)
                }
                let problem = known[need.thing] ?? inspector.problem(of: need.thing)
                known[need.thing] = .some(problem)
                return problem.map { Missing(thing: need.thing, place: place, problem: $0, isSure: isSure) }
            }
        }
        return Self(missing: missing)
    }

    /// A finding for each.
    var findings: [Finding] {
        missing.map { Finding($0.isSure ? .error : .warning, .sinkNeed, $0.place, $0.problem, fix: Self.fix($0.thing)) }
    }

    private static func fix(_ thing: SinkNeed.Thing) -> String {
        switch thing {
        case .program(let name, let directory, _):
            name.contains("/")
                ? "chmod +x \(ShellWord.quoted(name.hasPrefix("/") ? name : "\(directory)/\(name)")), or put the program there"
                : "install the package that has the program, or write its whole path"
        case .variable(let name):
            "Environment=\(name)=... under [Service] with 'systemctl edit tminus', or export \(name)=... before 'tminus run'"
        case .file(let path), .secretFile(let path):
            "put the file there, and let the user of the daemon read it: chmod u+r \(ShellWord.quoted(path))"
        case .credential(let name):
            "LoadCredential=\(name):/etc/tminus.secrets/\(name) under [Service] with 'systemctl edit tminus'"
        case .directory(let path): "mkdir -p \(ShellWord.quoted(path))"
        case .writableDirectory(let path):
            "mkdir -p \(ShellWord.quoted(path)), and let the user of the daemon write in it; for a service also "
                + "ReadWritePaths=\(path) under [Service] with 'systemctl edit tminus', or name a directory in its state"
        }
    }
}
