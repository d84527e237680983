internal import Dispatch
internal import Glibc
package import TminusCore

/// Looks on this machine, where the daemon would look, whether things are there that sinks need.
package struct SystemNeedInspector: SinkNeedInspector {
    /// The search path of programs if the environment has none (ProgramVariables).
    package static let standardSearchPath = "/usr/local/bin:/usr/bin:/bin"

    private let environment: [String: String]
    private let isDaemon: Bool
    private let mounts: MountTable

    /// An inspector with the environment of a process.
    ///
    /// - Parameters:
    ///   - isDaemon: Whether it is the process that needs these things. Only it has credentials, so another process
    ///     without any cannot tell.
    ///   - mounts: The mounts that this process sees.
    package init(
        environment: [String: String] = MachinePaths.environment, isDaemon: Bool, mounts: MountTable = .ofProcess
    ) {
        self.environment = environment
        self.isDaemon = isDaemon
        self.mounts = mounts
    }

    package func problem(of thing: SinkNeed.Thing) -> String? {
        switch thing {
        case .program(let name, let directory, let searchPath):
            name.utf8.contains(UInt8(ascii: "/"))
                ? problem(ofProgram: name, in: directory) : problem(ofName: name, in: directory, searchPath)
        case .variable(let name):
            switch environment[name] {
            case nil: "the variable '\(name)' is not set in the environment of tminus"
            case ""?: "the variable '\(name)' is empty in the environment of tminus"
            default: nil
            }
        case .file(let path), .secretFile(let path): problem(ofFile: path)
        case .credential(let name): problem(ofCredential: name)
        case .directory(let path): problem(ofDirectory: path)
        case .writableDirectory(let path): problem(ofDirectory: path) ?? problem(ofWritingIn: path)
        }
    }

    package func inspect(
        _ things: Set<SinkNeed.Thing>, done: @escaping @Sendable ([SinkNeed.Thing: String]) -> Void
    ) {
        // A queue of its own, because a dead network file system may never answer.
        DispatchQueue(label: "tminus.needs").async {
            var problems: [SinkNeed.Thing: String] = [:]
            for thing in things { problems[thing] = problem(of: thing) }
            done(problems)
        }
    }

    private func problem(ofProgram name: String, in directory: String) -> String? {
        let path = name.hasPrefix("/") ? name : "\(directory == "/" ? "" : directory)/\(name)"
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                return "the program '\(path)' cannot be found: \(ErrorText.last)"
            }
            return "there is no program '\(path)'\(Self.hint(for: name))"
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG where access(path, X_OK) == 0: return nil
        case S_IFREG: return "the program '\(path)' may not be executed; try 'chmod +x'"
        case S_IFDIR: return "the program '\(path)' is a directory"
        default: return "the program '\(path)' is not a regular file"
        }
    }

    private func problem(ofName name: String, in directory: String, _ searchPath: String?) -> String? {
        let list = searchPath ?? environment["PATH"] ?? Self.standardSearchPath
        let isFound = list.split(separator: ":", omittingEmptySubsequences: false).contains { place in
            let path = (place.hasPrefix("/") ? String(place) : "\(directory)/\(place)") + "/\(name)"
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
        return isFound ? nil : "there is no program '\(name)' in PATH (\(list))\(Self.hint(for: name))"
    }

    /// What to write instead of a command line that is one text.
    private static func hint(for name: String) -> String {
        let words = name.split { $0 == " " || $0 == "\t" }
        guard words.count > 1 else { return "" }
        return "; write a program and its arguments as a list, [\(words.joined(separator: ", "))], or use 'shell'"
    }

    private func problem(ofFile path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return "the file '\(path)' cannot be read: \(ErrorText.last)" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "'\(path)' is not a regular file" }
        return access(path, R_OK) == 0 ? nil : "the file '\(path)' cannot be read: \(ErrorText.last)"
    }

    private func problem(ofCredential name: String) -> String? {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], !directory.isEmpty else {
            return isDaemon ? "the credential '\(name)' is not there: systemd passed none on" : nil
        }
        return problem(ofFile: "\(directory)/\(name)").map { "the credential '\(name)' is not there: \($0)" }
    }

    private func problem(ofDirectory path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { return "the directory '\(path)' cannot be used: \(ErrorText.last)" }
            return mounts.isPrivate(path)
                ? "the directory '\(path)' does not exist for the service, whose temporary directory is private (PrivateTmp=)"
                : "the directory '\(path)' does not exist; make it"
        }
        return status.st_mode & S_IFMT == S_IFDIR ? nil : "'\(path)' is not a directory"
    }

    private func problem(ofWritingIn path: String) -> String? {
        guard access(path, W_OK | X_OK) == 0 else {
            // So looks what ProtectSystem= of a unit forbids.
            let hint = errno == EROFS ? "; in a unit, ReadWritePaths= allows it" : ""
            return "the directory '\(path)' cannot be written: \(ErrorText.last)\(hint)"
        }
        guard mounts.isPrivate(MachinePaths.absolute(path)) else { return nil }
        return "no other program sees what is written to '\(path)': the service has it for itself (PrivateTmp=)"
    }
}
