import CProgramTools
import Glibc

/// A program as it is to be started: in a session of its own, with three pipes, and with nothing else of this process.
struct ProgramStart: Sendable {
    /// A path, or a name to be found by the PATH of ``environment``.
    var program: String
    /// Without the program itself.
    var arguments: [String]
    /// `NAME=value`, each with a NUL at its end.
    var environment: [[UInt8]]
    /// The working directory, absolute.
    var directory: String

    /// Starts it, and returns its id. Blocks until the program runs, which may take as long as the file system that it is on.
    func spawn(with pipes: borrowing ProgramPipes) throws(StartProblem) -> pid_t {
        let path = try path()
        var id: pid_t = 0
        var isDirectory = false
        let words = ([program] + arguments).map { Array($0.utf8) + [0] }
        let number = Self.withTexts(words) { words in
            Self.withTexts(environment) { environment in
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
        let name = Array("PATH=".utf8)
        let list = environment.first { $0.starts(with: name) }?.dropFirst(name.count).dropLast() ?? []
        for part in list.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            let place = String(decoding: part, as: UTF8.self)
            // As execvp(3) would, from the working directory of the program.
            let path = (place.hasPrefix("/") ? place : "\(directory)/\(place)") + "/\(program)"
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return path }
        }
        throw StartProblem(step: .find, number: ENOENT)
    }

    /// Texts as execve(2) takes them: pointers, and a null pointer behind the last.
    private static func withTexts<Value>(
        _ texts: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var bytes: [CChar] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + $1.count })
        for text in texts { text.withUnsafeBytes { bytes.append(contentsOf: $0.bindMemory(to: CChar.self)) } }
        return bytes.withUnsafeMutableBufferPointer { bytes in
            var pointers: [UnsafeMutablePointer<CChar>?] = []
            pointers.reserveCapacity(texts.count + 1)
            var offset = 0
            for text in texts {
                pointers.append(bytes.baseAddress.map { $0 + offset })
                offset += text.count
            }
            return body(pointers + [nil])
        }
    }
}
