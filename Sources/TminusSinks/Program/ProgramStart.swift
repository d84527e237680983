import CProgramTools
import Glibc

/// A program as it is to be started: in a session of its own, with three pipes, and with nothing else of this process.
struct ProgramStart: Sendable {
    /// A path, or a name to be found by the PATH of ``environment``.
    var program: String
    /// Without the program itself.
    var arguments: [String]
    /// `NAME=value`.
    var environment: ProgramTexts
    /// The working directory, absolute.
    var directory: String

    /// Starts it, and returns its id. Blocks until the program runs, which may take as long as the file system that it is on.
    func spawn(with pipes: borrowing ProgramPipes) throws(StartProblem) -> pid_t {
        let path = try path()
        var id: pid_t = 0
        var isDirectory = false
        var words = ProgramTexts(count: arguments.count + 1)
        words.append(program.utf8)
        for argument in arguments { words.append(argument.utf8) }
        let number = words.withPointers { words in
            environment.withPointers { environment in
                tminus_spawn(
                    &id, &isDirectory, path, words, environment, directory, pipes.input.read.number,
                    pipes.output.write.number, pipes.errors.write.number)
            }
        }
        if number == 0 { return id }
        throw StartProblem(step: isDirectory ? .enterDirectory : .start, number: number)
    }

    /// The file that the program is.
    private func path() throws(StartProblem) -> String {
        if program.utf8.contains(UInt8(ascii: "/")) { return program }
        let list = environment.value(of: "PATH") ?? []
        for part in list.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            let place = String(decoding: part, as: UTF8.self)
            // As execvp(3) would, from the working directory of the program.
            let path = (place.hasPrefix("/") ? place : "\(directory)/\(place)") + "/\(program)"
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return path }
        }
        throw StartProblem(step: .find, number: ENOENT)
    }
}
