internal import CPlatform
internal import Glibc

/// How to start a program: in a session of its own, with three pipes and no other descriptor of this process.
package struct ProgramStart: Sendable {
    /// A path, or a name that is looked up in the PATH of ``environment``.
    package var program: String
    /// The arguments without the program itself.
    package var arguments: [String]
    /// The environment, `NAME=value` each.
    package var environment: ProgramTexts
    /// The working directory, absolute.
    package var directory: String
    /// Its purpose, as ``LeftoverProgram/label`` shows it.
    package var label: String
    /// How long after TERM it gets KILL if it outlives this process.
    package var killAfter: Duration
    /// The ledger that records it while it runs.
    private let ledger: ProgramLedger?

    /// A program that is not started yet; it will be recorded in the ledger of the current task.
    package init(
        program: String, arguments: [String], environment: ProgramTexts, directory: String, label: String = "",
        killAfter: Duration = .zero
    ) {
        self.program = program
        self.label = label
        self.killAfter = killAfter
        ledger = ProgramLedger.current
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }

    /// Starts the program. Returns its process id and its place in the ledger. Blocks until the program runs, which
    /// depends on the file system that holds it.
    func spawn(with pipes: borrowing ProgramPipes) throws(StartProblem) -> (id: pid_t, place: ProgramLedger.Place?) {
        let path = try path()
        let place = ledger?.place(for: ProgramRecord(label: label, killAfter: killAfter))
        var environment = environment
        if let place { environment.append(ProgramRecord.variable, place.record.token) }
        var id: pid_t = 0
        var isDirectory = false
        var words = ProgramTexts(count: arguments.count + 1)
        words.append(program)
        for argument in arguments { words.append(argument) }
        var entry = place?.entry ?? tminus_entry()
        let number = words.withPointers { words in
            environment.withPointers { environment in
                withUnsafeMutablePointer(to: &entry) { entry in
                    tminus_spawn(
                        &id, &isDirectory, path, words, environment, directory, pipes.input.read.number,
                        pipes.output.write.number, pipes.errors.write.number, place == nil ? nil : entry)
                }
            }
        }
        if number == 0 { return (id, place) }
        place?.clear()
        throw StartProblem(step: isDirectory ? .enterDirectory : .start, number: number)
    }

    /// The path of the program.
    private func path() throws(StartProblem) -> String {
        if program.utf8.contains(UInt8(ascii: "/")) { return program }
        let list = environment.value(of: "PATH") ?? []
        for part in list.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            let place = String(decoding: part, as: UTF8.self)
            // A relative part of PATH is relative to the working directory of the program, as for execvp(3).
            let path = (place.hasPrefix("/") ? place : "\(directory)/\(place)") + "/\(program)"
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return path }
        }
        throw StartProblem(step: .find, number: ENOENT)
    }
}
